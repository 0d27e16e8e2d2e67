import ArgumentParser
import DispatchModel

/// A length of time in the form `10s`, `500ms`, `2m` or `1h`.
struct TimeLimit: ExpressibleByArgument, Equatable {
    let nanoseconds: UInt64
    var length: Nanoseconds { Nanoseconds(Int64(nanoseconds)) }

    private static let units: [(name: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
    ]
    /// 30 days.
    private static let longest = 30 * 24 * 3600e9

    /// Nil unless the argument is a positive number, with or without decimals, and a unit.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits),
            let unit = Self.units.first(where: { $0.name == argument.dropFirst(digits.count) }),
            case let length = number * unit.nanoseconds, length >= 1e6, length <= Self.longest
        else { return nil }
        nanoseconds = UInt64(length)
    }
}
