import DispatchModel

/// A number with its unit.
public enum Quantity: Sendable, Equatable {
    /// A number of things.
    case count(Int)
    /// A length of time.
    case duration(Nanoseconds)
    /// An instant of the trace.
    case time(Timestamp)
    /// A part of a whole or a ratio, shown in percent: 1 is 100 %.
    case share(Double)
    /// A number of things per second.
    case rate(Double)
    /// An average number of things.
    case mean(Double)
    /// A size, shown in MiB.
    case bytes(Int)

    /// `1,204`, `12.5 ms`, `34 %`, `0.25` or `1,200 MiB`.
    public var text: String {
        switch self {
        case .count(let count): Figures.count(count)
        case .duration(let duration): "\(duration)"
        case .time(let time): "\(time)"
        case .share(let share): Figures.percent(share)
        case .rate(let rate): Figures.count(Int(rate.rounded()))
        case .mean(let mean): Figures.twoDigits(mean)
        case .bytes(let bytes): "\(Figures.count(bytes >> 20)) MiB"
        }
    }
}

/// A named value of a finding, such as the longest wait.
public struct Measure: Sendable, Equatable {
    /// The name, unique in most findings.
    public let name: String
    /// The value.
    public let value: Phrase

    /// Creates a measure of words and quantities: `Measure("worst wait", "\(wait) by \(thread)")`.
    public init(_ name: String, _ value: Phrase) {
        self.name = name
        self.value = value
    }

    private init(_ name: String, _ quantity: Quantity) { self.init(name, "\(quantity)") }

    /// A number of things.
    public static func count(_ name: String, _ count: Int) -> Measure { Measure(name, .count(count)) }
    /// A length of time.
    public static func duration(_ name: String, _ duration: Nanoseconds) -> Measure {
        Measure(name, .duration(duration))
    }
    /// A part of a whole: 1 is 100 %.
    public static func share(_ name: String, _ share: Double) -> Measure { Measure(name, .share(share)) }
    /// A number of things per second.
    public static func rate(_ name: String, _ rate: Double) -> Measure { Measure(name, .rate(rate)) }

    /// The value as every report shows it.
    public var text: String { value.text }
}
