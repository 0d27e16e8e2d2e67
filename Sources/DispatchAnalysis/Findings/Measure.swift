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
    public let value: Value

    /// Creates a measure of words and quantities: `Measure("worst wait", "\(wait) by \(thread)")`.
    public init(_ name: String, _ value: Value) {
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

extension Measure {
    /// Words and quantities in reading order. A string literal creates a value, and its interpolations keep their
    /// types: `"\(used) of \(all) workers"` has two counts.
    public struct Value: Sendable, Equatable, ExpressibleByStringInterpolation {
        fileprivate enum Part: Sendable, Equatable {
            case words(String)
            case quantity(Quantity)
        }

        private let parts: [Part]

        /// Creates a value of words only.
        public init(stringLiteral words: String) { parts = [.words(words)] }
        /// Creates a value of words and quantities.
        public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

        /// The quantities in reading order; empty if the value has only words.
        public var quantities: [Quantity] {
            parts.compactMap { if case .quantity(let quantity) = $0 { quantity } else { nil } }
        }

        fileprivate var text: String {
            parts.reduce(into: "") { text, part in
                switch part {
                case .words(let words): text += words
                case .quantity(let quantity): text += quantity.text
                }
            }
        }

        /// Collects the parts of a string literal.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var parts: [Part] = []

            /// Creates an empty collection.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Appends words.
            public mutating func appendLiteral(_ words: String) { if !words.isEmpty { parts.append(.words(words)) } }
            /// Appends words.
            public mutating func appendInterpolation(_ words: String) { appendLiteral(words) }
            /// Appends a quantity.
            public mutating func appendInterpolation(_ quantity: Quantity) { parts.append(.quantity(quantity)) }
            /// Appends a count.
            public mutating func appendInterpolation(_ count: Int) { appendInterpolation(.count(count)) }
            /// Appends a count with a noun: `38 staircases`, `1 staircase`.
            public mutating func appendInterpolation(_ count: Int, _ noun: String) {
                appendInterpolation(.count(count))
                appendLiteral(" \(noun)\(count == 1 ? "" : "s")")
            }
            /// Appends a duration.
            public mutating func appendInterpolation(_ duration: Nanoseconds) {
                appendInterpolation(.duration(duration))
            }
            /// Appends an instant.
            public mutating func appendInterpolation(_ time: Timestamp) { appendInterpolation(.time(time)) }
        }
    }
}
