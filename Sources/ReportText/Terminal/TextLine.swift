/// One line of a text report: pieces of text, each with its style.
package struct TextLine: ExpressibleByStringLiteral {
    package private(set) var pieces: [(text: String, color: TextColor)] = []

    /// An empty line.
    package init() {}

    /// A line of one piece.
    package init(_ text: String, _ color: TextColor = .plain) { append(text, color) }

    package init(stringLiteral text: String) { self.init(text) }

    /// Adds a piece at the end.
    package mutating func append(_ text: String, _ color: TextColor = .plain) {
        if !text.isEmpty { pieces.append((text, color)) }
    }

    /// Appends spaces up to this column.
    package mutating func advance(to column: Int) {
        append(String(repeating: " ", count: max(0, column - width)))
    }

    /// Number of terminal columns of the line.
    package var width: Int { pieces.reduce(0) { $0 + DisplayText.width($1.text) } }

    /// The line without trailing spaces. Links have no width.
    package func string(inColor: Bool, links: SourceLinks? = nil) -> String {
        var pieces = pieces
        while let last = pieces.last {
            let spaces = last.text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            pieces[pieces.count - 1].text.unicodeScalars.removeLast(spaces)
            if spaces == 0 || !pieces[pieces.count - 1].text.isEmpty { break }
            pieces.removeLast()
        }
        return pieces.map { piece in
            let text = links?.linked(piece.text) ?? piece.text
            return inColor ? piece.color.applied(to: text) : text
        }.joined()
    }
}
