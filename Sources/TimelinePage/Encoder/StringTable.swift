/// Distinct texts, numbered in the order of their first use.
struct StringTable {
    private(set) var strings: [String] = []
    private var numbers: [String: Int] = [:]

    /// Assigns a number to a text that has none.
    mutating func insert(_ text: String) {
        guard numbers[text] == nil else { return }
        numbers[text] = strings.count
        strings.append(text)
    }

    /// The number of a text; 0 for a text that was never inserted.
    subscript(text: String) -> Int { numbers[text] ?? 0 }
}
