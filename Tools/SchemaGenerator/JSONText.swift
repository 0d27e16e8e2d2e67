/// JSON text. Short values are written on one line, others with a line for each member.
indirect enum JSONText {
    typealias Members = [(key: String, value: JSONText)]

    /// Text that is written unchanged. With an empty key it has several members of an object.
    case literal(String)
    case array([JSONText])
    case object(Members)

    static func string(_ text: String) -> JSONText {
        .literal("\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"")
    }

    /// - Parameters:
    ///   - indentation: the indentation of the line on which the value begins.
    ///   - column: the column in which the value begins.
    /// - Returns: the text. Its lines have at most 120 columns unless a string is longer.
    func text(indentation: String = "", column: Int = 0) -> String {
        let (line, inner) = (line, indentation + "  ")
        guard column + line.count >= 120 else { return line }
        switch self {
        case .literal: return line
        case .array(let elements):
            var lines: [String] = []
            for (position, element) in elements.enumerated() {
                let comma = position < elements.count - 1 ? "," : ""
                let text = element.text(indentation: inner, column: inner.count) + comma
                if let last = lines.last, last.count + 1 + text.count <= 120 {
                    lines[lines.count - 1] += " " + text
                } else {
                    lines.append(inner + text)
                }
            }
            return "[\n" + lines.joined(separator: "\n") + "\n\(indentation)]"
        case .object(let members):
            let lines = members.map { key, value in
                let start = inner + Self.prefix(key)
                return start + value.text(indentation: inner, column: start.count)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }

    private var line: String {
        switch self {
        case .literal(let text): text
        case .array(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .object(let members):
            "{ " + members.map { Self.prefix($0) + $1.line }.joined(separator: ", ") + " }"
        }
    }

    private static func prefix(_ key: String) -> String { key.isEmpty ? "" : "\"\(key)\": " }
}
