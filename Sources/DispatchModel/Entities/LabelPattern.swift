/// Groups labels that differ in a number: `news.connection.7` and `news.connection.12` are `news.connection.*`.
public enum LabelPattern {
    /// The label with every number, and every hexadecimal number after `0x`, replaced by `*`.
    ///
    /// - Parameter label: a queue's or lock's label.
    /// - Returns: the pattern; the label itself where it has no digit.
    public static func of(_ label: String) -> String {
        var pattern = ""
        var isInNumber = false
        var isHexadecimal = false
        for character in label.unicodeScalars {
            let isDigit = ("0"..."9").contains(character)
            let continues = isDigit || (isHexadecimal && ("a"..."f").contains(character))
            if isInNumber, continues { continue }
            if isInNumber, character == "x", pattern.hasSuffix("*"), !isHexadecimal {
                isHexadecimal = true
                continue
            }
            isInNumber = isDigit
            isHexadecimal = false
            if isDigit { pattern += "*" } else { pattern.unicodeScalars.append(character) }
        }
        return pattern
    }
}
