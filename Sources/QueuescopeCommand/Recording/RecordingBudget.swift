import ArgumentParser

/// The processor time that the recorder may use, or the rate at which it samples items and tasks: `1%`, `0.5%` or
/// `1/64`.
enum RecordingBudget: Equatable {
    /// A share of the processor time of the process, in millionths. The recorder chooses the rate.
    case share(millionths: UInt32)
    /// One of this number of items is recorded: a power of two.
    case oneOf(UInt32)

    /// The largest number of items of which one is recorded.
    private static let largestStride: UInt32 = 4_096

    /// Parses an option.
    ///
    /// - Parameter argument: a percentage above 0 with at most four decimals, or a fraction.
    /// - Throws: ``ValidationError`` with the reason.
    init(argument: String) throws {
        if argument.hasSuffix("%") {
            guard let millionths = Self.millionths(percentage: argument.dropLast()) else {
                throw ValidationError("it is not between 0.0001% and 100%.")
            }
            self = .share(millionths: millionths)
        } else if argument.hasPrefix("1/") {
            guard let stride = UInt32(argument.dropFirst(2)), stride.nonzeroBitCount == 1, stride <= Self.largestStride
            else {
                throw ValidationError("the number is not a power of two up to \(Self.largestStride), such as 64.")
            }
            self = .oneOf(stride)
        } else {
            throw ValidationError("it is not a share of the processor time, such as 1%, or a rate, such as 1/64.")
        }
    }

    /// Nil unless the text is a number above 0 and up to 100, with at most four decimals.
    private static func millionths(percentage: Substring) -> UInt32? {
        let parts = percentage.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard (parts + [decimals]).allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            (1...4).contains(decimals.count), let whole = UInt32(parts[0]), whole <= 100,
            let rest = UInt32(decimals + String(repeating: "0", count: 4 - decimals.count))
        else { return nil }
        let millionths = whole * 10_000 + rest
        return (1...1_000_000).contains(millionths) ? millionths : nil
    }

    static let variable = "QUEUESCOPE_BUDGET"

    /// The value of ``variable``.
    var text: String {
        switch self {
        case .share(let millionths):
            let decimals = String(1_000_000 + millionths % 10_000 * 100).dropFirst().prefix(4)
            return "\(millionths / 10_000).\(decimals)%"
        case .oneOf(let stride): return "1/\(stride)"
        }
    }
}
