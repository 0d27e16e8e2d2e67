/// The lines of a text for a person, laid out for a width.
package struct TextPage {
    /// Columns of the terminal, at least 60.
    package let width: Int
    private let inColor: Bool
    private(set) var lines: [TextLine] = []

    /// An empty page.
    package init(_ style: TextStyle) {
        width = max(60, style.width)
        inColor = style.inColor
    }

    /// Adds a line as it is.
    package mutating func add(_ line: TextLine) { lines.append(line) }

    mutating func add(_ text: String, _ ink: Ink = .plain) { lines.append(TextLine(text, ink)) }

    /// An empty line, unless the page already ends with one.
    mutating func addGap() {
        if let last = lines.last, last.width > 0 { lines.append(TextLine()) }
    }

    /// `NAME ───────────── note`, the start of a section. The note is left out where it has no room.
    mutating func addSection(_ name: String, note: String = "") {
        addGap()
        var line = TextLine(name, .title)
        line.append(" ")
        let note = line.width + DisplayText.width(note) + 3 <= width ? note : ""
        let end = note.isEmpty ? width : width - DisplayText.width(note) - 1
        line.append(String(repeating: "─", count: max(2, end - line.width)), .faint)
        if !note.isEmpty { line.append(" " + note, .faint) }
        add(line)
    }

    /// A paragraph wrapped at spaces, behind a label on its first line.
    ///
    /// - Parameters:
    ///   - text: the words; a line feed begins a new line.
    ///   - ink: what they mean.
    ///   - label: stands in front of the first line.
    ///   - indent: the column where text begins, on every line.
    package mutating func addParagraph(
        _ text: String, _ ink: Ink = .plain, label: TextLine = TextLine(), indent: Int
    ) {
        var line = label
        for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            for wrapped in Self.wrapped(Substring(part), columns: width - indent) {
                line.advance(to: indent)
                line.append(wrapped, ink)
                add(line)
                line = TextLine()
            }
        }
    }

    /// A name and what it stands for, in a column of their own: `recorded   1.2 s, 6,234 events`.
    mutating func addFact(_ name: String, _ text: String, _ ink: Ink = .plain, indent: Int = 13) {
        addParagraph(text, ink, label: TextLine(" " + name, .faint), indent: indent)
    }

    /// How to read the section above.
    mutating func addNote(_ text: String) { addParagraph(text, .faint, indent: 1) }

    /// `… 12 more threads, busy 3 ms in all; --all shows them.`
    ///
    /// - Parameters:
    ///   - count: how many are not shown; says nothing unless it is positive.
    ///   - noun: what they are, one of them.
    ///   - what: more about them.
    mutating func addRest(_ count: Int, _ noun: String, _ what: String = "") {
        guard count > 0 else { return }
        addNote("… \(CompactNumber.counted(count, "more \(noun)"))\(what); --all shows them.")
    }

    /// The words of the text in lines of at most `columns`; a longer word stands alone on its line.
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

    /// What spaces separate, with a unit kept at its number: `4.10 µs` is one word.
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

    /// Whether it is a unit of time, maybe with a sign behind it.
    private static func beginsWithUnit(_ word: Substring) -> Bool {
        ["ns", "µs", "ms", "s"].contains { word.hasPrefix($0) && word.dropFirst($0.count).first?.isLetter != true }
    }

    /// All lines, each ended by a line feed.
    package func string() -> String {
        lines.map { $0.string(inColor: inColor) + "\n" }.joined()
    }
}
