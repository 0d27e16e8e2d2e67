import DispatchModel

/// A value of a threshold: a count, a duration, or a share.
public protocol ThresholdValue: Sendable {
    /// Parses the text of a user.
    ///
    /// - Parameter text: for example `6`, `100us` or `50%`. The result is nil for an invalid or negative value.
    init?(thresholdText text: String)
    /// The exact value in the syntax of `--threshold`.
    var thresholdText: String { get }
    /// The value times a factor, rounded to a value that a user would write.
    func scaled(by factor: Double) -> Self
    /// The syntax of a value if this value is the default, with an example.
    var thresholdExpectation: String { get }
    /// Whether another value is valid if this value is the default.
    func allows(_ other: Self) -> Bool
}

extension ThresholdValue {
    public func allows(_ other: Self) -> Bool { true }
}

extension Int: ThresholdValue {
    public init?(thresholdText text: String) {
        guard let number = Int(text), 0...Self.most ~= number else { return nil }
        self = number
    }

    /// A detector can multiply it by its counts without overflow.
    private static let most = 1 << 32

    public var thresholdText: String { "\(self)" }
    public func scaled(by factor: Double) -> Int { Int((Double(self) * factor).rounded()) }
    public var thresholdExpectation: String { "a whole number, such as 6" }
}

extension Nanoseconds: ThresholdValue {
    /// The units, the largest first.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("µs", 1_000), ("ns", 1),
    ]

    /// More than a century. Small multiples still fit into a duration.
    private static let longest: Int64 = 1 << 62

    public init?(thresholdText text: String) {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let known = Self.units.first(where: { $0.name == unit }), let number = Double(digits), number >= 0,
            number * Double(known.nanoseconds) < Double(Self.longest)
        else { return nil }
        self.init(Int64((number * Double(known.nanoseconds)).rounded()))
    }

    public var thresholdText: String {
        let unit = Self.units.first { count % $0.nanoseconds == 0 } ?? ("ns", 1)
        return count == 0 ? "0s" : "\(count / unit.nanoseconds)\(unit.name)"
    }

    public func scaled(by factor: Double) -> Nanoseconds { Nanoseconds(Int64((Double(count) * factor).rounded())) }
    public var thresholdExpectation: String { "a duration with its unit (s, ms, us or ns), such as 250ms" }
}

/// A part of a whole, or a ratio of two values. A ratio has a default of more than 100 %.
public struct Share: ThresholdValue, Comparable {
    private let percent: Double
    /// 0 for nothing, 1 for the whole.
    public var fraction: Double { percent / 100 }

    /// Creates a share from a percentage.
    public init(percent: Double) { self.percent = percent }

    public init?(thresholdText text: String) {
        guard text.hasSuffix("%"), let number = Double(text.dropLast().filter { $0 != " " }), number >= 0,
            number.isFinite
        else { return nil }
        self.init(percent: number)
    }

    public var thresholdText: String {
        Int(exactly: percent).map { "\($0)%" } ?? "\(percent)%"
    }

    public func scaled(by factor: Double) -> Share {
        let percent = (percent * factor * 100).rounded() / 100
        return Share(percent: isRatio ? percent : min(percent, 100))
    }

    public var thresholdExpectation: String {
        isRatio ? "a percentage, such as 150%" : "a percentage from 0% to 100%, such as 50%"
    }

    public func allows(_ other: Share) -> Bool { isRatio || other.percent <= 100 }

    private var isRatio: Bool { percent > 100 }

    /// Orders shares by their fraction.
    public static func < (left: Share, right: Share) -> Bool { left.fraction < right.fraction }
}
