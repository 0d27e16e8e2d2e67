/// The span of a distributed trace that an interval represents, parsed from its message.
///
/// An interval is a span if a word of its message is a `traceparent` of W3C Trace Context. `QueuescopeTracing` writes
/// `00-TRACE-SPAN-FLAGS parent=SPAN name=value …`. A program can also put the header into the message of its own
/// signposts.
public struct SpanContext: Sendable, Hashable {
    /// 32 hexadecimal digits.
    public let traceID: String
    /// 16 hexadecimal digits.
    public let spanID: String
    /// The id of the parent span, possibly of another process; nil when there is none or the message does not contain
    /// it.
    public let parentID: String?
    /// The last name of the span, when it differs from the name of the interval.
    public let name: String?
    /// The other words of the message in their order, as `name=value`: attributes and the error.
    public let attributes: [String]

    /// Parses the message of a signpost.
    ///
    /// - Parameter message: the message.
    /// - Returns: nil when the message has no `traceparent`.
    public init?(message: String) {
        guard message.utf8.count >= Self.length, message.utf8.contains(45) else { return nil }
        var words = Self.words(message)
        guard let position = words.firstIndex(where: Self.isTraceparent) else { return nil }
        let header = words.remove(at: position).split(separator: "-")
        (traceID, spanID) = (String(header[1]), String(header[2]))
        var (parent, name): (String?, String?) = (nil, nil)
        var attributes: [String] = []
        for word in words where word != "→" {
            if word.hasPrefix("parent=") {
                parent = String(word.dropFirst(7))
            } else if word.hasPrefix("name=") {
                name = String(word.dropFirst(5).filter { $0 != "\"" })
            } else {
                attributes.append(String(word))
            }
        }
        (parentID, self.name, self.attributes) = (parent, name, attributes)
    }

    /// Length of `00-`, 32 digits, 16 digits and 2 digits, with the hyphens between them.
    private static let length = 55

    private static func isTraceparent(_ word: Substring) -> Bool {
        guard word.utf8.count == length else { return false }
        for (position, byte) in word.utf8.enumerated() {
            switch position {
            case 2, 35, 52: guard byte == 45 else { return false }
            default: guard (48...57).contains(byte) || (97...102).contains(byte) else { return false }
            }
        }
        return true
    }

    /// The words of the message, separated by spaces outside of quotes.
    private static func words(_ message: String) -> [Substring] {
        var isQuoted = false
        return message.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == " " && !isQuoted
        }
    }
}

extension Signpost {
    /// The span of a distributed trace that this interval represents; nil for other intervals.
    public var span: SpanContext? { SpanContext(message: message) }
}
