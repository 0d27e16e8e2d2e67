/// Texts that many records share, numbered in the order of their first use.
struct StringTable {
    private(set) var strings: [String] = []
    private var numbers: [String: Int] = [:]

    /// Gives the text a number when it has none.
    mutating func insert(_ text: String) {
        guard numbers[text] == nil else { return }
        numbers[text] = strings.count
        strings.append(text)
    }

    /// The text's number; 0 for a text that was never inserted.
    subscript(text: String) -> Int { numbers[text] ?? 0 }
}
