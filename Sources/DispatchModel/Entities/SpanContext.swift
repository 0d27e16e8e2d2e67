/// Which span of a distributed trace an interval is: what its message says of it.
///
/// An interval is a span if a word of its message is a `traceparent` of W3C Trace Context. `QueuescopeTracing` writes
/// `00-TRACE-SPAN-FLAGS parent=SPAN name=value …`. A program that puts the header into the message of a signpost of
/// its own does as well.
public struct SpanContext: Sendable, Hashable {
    /// 32 hexadecimal digits.
    public let traceID: String
    /// 16 hexadecimal digits.
    public let spanID: String
    /// The id of the span around it, which may be another process's; nil for none, and where the message does not say.
    public let parentID: String?
    /// What the span was called last, where that is not the interval's name.
    public let name: String?
    /// What else the message says, as `name=value`: attributes and the error, in its order.
    public let attributes: [String]

    /// Reads a signpost's message.
    ///
    /// - Parameter message: the message.
    /// - Returns: nil when it has no `traceparent`.
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

    /// Of `00-` with 32, 16 and 2 digits.
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

    /// The words between blanks; blanks between quotes separate none.
    private static func words(_ message: String) -> [Substring] {
        var isQuoted = false
        return message.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == " " && !isQuoted
        }
    }
}

extension Signpost {
    /// Which span of a distributed trace it is; nil for an interval that is none.
    public var span: SpanContext? { SpanContext(message: message) }
}
