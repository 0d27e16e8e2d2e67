import DispatchModel

/// The texts of an interval: its name, its category, and its message with the ids and attributes of a span.
struct OTLPIntervalText {
    let name: String
    let category: String
    let message: String

    private static let separator: Character = "\0"

    init(_ signpost: Signpost) { (name, category, message) = (signpost.name, signpost.category, signpost.message) }

    /// Splits the text that ``joined`` returned.
    init(joined: String) {
        let parts = joined.split(separator: Self.separator, maxSplits: 2, omittingEmptySubsequences: false)
        name = String(parts[0])
        category = parts.count > 1 ? String(parts[1]) : ""
        message = parts.count > 2 ? String(parts[2]) : ""
    }

    /// The texts as one text. Names and categories have no NUL, because the program passes them as C strings.
    var joined: String { [name, category, message].joined(separator: String(Self.separator)) }

    /// The span that the message describes; nil for a signpost interval without ids.
    var context: SpanContext? { SpanContext(message: message) }
}

extension SpanContext {
    /// The attributes of the span as name and value, without the error.
    var pairs: [(name: String, value: String)] {
        attributes.compactMap { attribute in
            guard let equals = attribute.firstIndex(of: "="), equals > attribute.startIndex else { return nil }
            let name = String(attribute[..<equals])
            guard name != Self.errorName else { return nil }
            return (name, attribute[attribute.index(after: equals)...].filter { $0 != "\"" })
        }
    }

    /// The type of the error; nil when the span has none.
    var error: String? {
        attributes.last { $0.hasPrefix(Self.errorName + "=") }
            .map { $0.dropFirst(Self.errorName.count + 1).filter { $0 != "\"" } }
    }

    private static let errorName = "error"
}
