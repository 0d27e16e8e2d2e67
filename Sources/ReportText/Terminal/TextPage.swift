/// The lines of a text for a terminal, laid out for a width.
package struct TextPage {
    /// Number of columns of the terminal, at least 60.
    package let width: Int
    private let inColor: Bool
    private let links: SourceLinks?
    package private(set) var lines: [TextLine] = []

    /// An empty page.
    ///
    /// - Parameters:
    ///   - style: width and colours.
    ///   - links: the places in the code that become links; nil for none.
    package init(_ style: TextStyle, links: SourceLinks? = nil) {
        width = max(60, style.width)
        inColor = style.inColor
        self.links = links
    }

    /// Adds a line as it is.
    package mutating func add(_ line: TextLine) { lines.append(line) }

    package mutating func add(_ text: String, _ color: TextColor = .plain) { lines.append(TextLine(text, color)) }

    /// An empty line, unless the page already ends with one.
    package mutating func addGap() {
        if let last = lines.last, last.width > 0 { lines.append(TextLine()) }
    }

    /// Adds the head of a section: `NAME ───────────── note`. The note is omitted when it does not fit.
    package mutating func addSection(_ name: String, note: String = "") {
        addGap()
        var line = TextLine(name, .title)
        line.append(" ")
        let note = line.width + DisplayText.width(note) + 3 <= width ? note : ""
        let end = note.isEmpty ? width : width - DisplayText.width(note) - 1
        line.append(String(repeating: "─", count: max(2, end - line.width)), .faint)
        if !note.isEmpty { line.append(" " + note, .faint) }
        add(line)
    }

    /// Adds a paragraph, wrapped at spaces, with a label before its first line.
    ///
    /// - Parameters:
    ///   - text: the text; a line feed begins a new line.
    ///   - color: the style of the text.
    ///   - label: precedes the text on the first line.
    ///   - indent: the column where the text begins, on every line.
    package mutating func addParagraph(
        _ text: String, _ color: TextColor = .plain, label: TextLine = TextLine(), indent: Int
    ) {
        var line = label
        for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            for wrapped in Self.wrapped(Substring(part), columns: width - indent) {
                line.advance(to: indent)
                line.append(wrapped, color)
                add(line)
                line = TextLine()
            }
        }
    }

    /// Adds a name and its value in two columns: `recorded   1.2 s, 6,234 events`.
    package mutating func addFact(_ name: String, _ text: String, _ color: TextColor = .plain, indent: Int = 13) {
        addParagraph(text, color, label: TextLine(" " + name, .faint), indent: indent)
    }

    /// Adds a legend or note to the section above.
    package mutating func addNote(_ text: String) { addParagraph(text, .faint, indent: 1) }

    /// Adds a note about hidden rows: `… 12 more threads, busy 3 ms in total; --all shows them.`
    ///
    /// - Parameters:
    ///   - count: the number of hidden rows; nothing is added unless it is positive.
    ///   - noun: the singular noun for a row.
    ///   - what: text that follows the noun.
    package mutating func addRest(_ count: Int, _ noun: String, _ what: String = "") {
        guard count > 0 else { return }
        addNote("… \(CompactNumber.counted(count, "more \(noun)"))\(what); --all shows them.")
    }

    /// Splits a text into lines of at most `columns`. A longer word has a line of its own.
    static func wrapped(_ text: Substring, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in words(text) {
            let columnsOfWord = DisplayText.width(word)
            if !line.isEmpty, used + 1 + columnsOfWord > columns {
                lines.append(line)
                line = ""
                used = 0
            }
            if !line.isEmpty {
                line += " "
                used += 1
            }
            line += word
            used += columnsOfWord
        }
        lines.append(line)
        return lines
    }

    /// Splits a text at spaces, and keeps a unit with its number: `4.10 µs` is one word.
    private static func words(_ text: Substring) -> [String] {
        var words: [String] = []
        for word in text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init) {
            if beginsWithUnit(word), let last = words.last, last.last?.isNumber == true {
                words[words.count - 1] += " " + word
            } else {
                words.append(String(word))
            }
        }
        return words
    }

    /// Whether the word is a unit of time, with or without punctuation after it.
    private static func beginsWithUnit(_ word: Substring) -> Bool {
        ["ns", "µs", "ms", "s"].contains { word.hasPrefix($0) && word.dropFirst($0.count).first?.isLetter != true }
    }

    /// All lines, each with a line feed at its end.
    package func string() -> String {
        lines.map { $0.string(inColor: inColor, links: links) + "\n" }.joined()
    }
}
