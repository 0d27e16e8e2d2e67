import DispatchModel

/// Words with typed arguments in reading order. A string literal creates a phrase, and its interpolations keep their
/// types: `"\(used) of \(all) workers"` has two counts.
public struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// The kind of an argument.
    public enum Kind: String, Sendable, Encodable {
        /// The name of a queue, or the names or the pattern of several.
        case queue
        /// The name of a lock, or the pattern of several.
        case lock
        /// An actor, or the global executor.
        case executor
        /// An object that a thread or a task waits for, with its place.
        case object
        /// A place in the code with its preposition, such as ` at App/Main.swift:12`; empty when it is unknown.
        case place
        /// The name of a function.
        case function
        /// A library or a package.
        case library
        /// A number, often with its unit.
        case number
        /// Other text.
        case text
    }

    /// A value in the words.
    public struct Argument: Sendable, Equatable {
        /// The kind.
        public let kind: Kind
        /// The value as every report shows it.
        public let text: String
        /// The number; nil for a value without a number.
        public let quantity: Quantity?
    }

    fileprivate enum Part {
        case words(String)
        case argument(Argument)
    }

    private let parts: [Part]

    /// Creates a phrase of words only.
    public init(stringLiteral words: String) { parts = [.words(words)] }
    /// Creates a phrase of words and arguments.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
    /// Joins phrases without a separator.
    init(_ phrases: [Phrase]) { parts = phrases.flatMap(\.parts) }

    /// The arguments in reading order.
    public var arguments: [Argument] {
        parts.compactMap { if case .argument(let argument) = $0 { argument } else { nil } }
    }

    /// The quantities in reading order; empty if no argument is a quantity.
    public var quantities: [Quantity] { arguments.compactMap(\.quantity) }

    /// The words with the text of each argument.
    public var text: String { words { $0.text } }

    /// The words with the kind of each argument, such as `{queue}`.
    public var template: String { words { "{\($0.kind.rawValue)}" } }

    private func words(_ text: (Argument) -> String) -> String {
        parts.reduce(into: "") { words, part in
            switch part {
            case .words(let more): words += more
            case .argument(let argument): words += text(argument)
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
        /// Appends a text.
        public mutating func appendInterpolation(_ text: String, _ kind: Kind = .text) {
            parts.append(.argument(Argument(kind: kind, text: text, quantity: nil)))
        }
        /// Appends a place in the code.
        mutating func appendInterpolation(_ place: CodePlace) { appendInterpolation(place.description, .place) }
        /// Appends a quantity.
        public mutating func appendInterpolation(_ quantity: Quantity) {
            parts.append(.argument(Argument(kind: .number, text: quantity.text, quantity: quantity)))
        }
        /// Appends a count.
        public mutating func appendInterpolation(_ count: Int) { appendInterpolation(.count(count)) }
        /// Appends a count with a noun: `38 staircases`, `1 staircase`.
        public mutating func appendInterpolation(_ count: Int, _ noun: String) {
            appendInterpolation(.count(count))
            appendLiteral(" \(noun)\(count == 1 ? "" : "s")")
        }
        /// Appends a duration.
        public mutating func appendInterpolation(_ duration: Nanoseconds) { appendInterpolation(.duration(duration)) }
        /// Appends an instant.
        public mutating func appendInterpolation(_ time: Timestamp) { appendInterpolation(.time(time)) }
    }
}

extension Phrase: Equatable {
    /// Whether two phrases have the same text and the same quantities.
    public static func == (left: Phrase, right: Phrase) -> Bool {
        left.text == right.text && left.quantities == right.quantities
    }
}
