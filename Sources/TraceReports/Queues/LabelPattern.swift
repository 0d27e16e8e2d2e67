/// What labels of queues made in a loop have in common: `news.connection.17` is `news.connection.*`.
enum LabelPattern {
    /// The label with every run of digits replaced by `*`.
    static func of(_ label: String) -> String {
        var result = ""
        var isInNumber = false
        for scalar in label.unicodeScalars {
            let isDigit = (0x30...0x39).contains(scalar.value)
            if !isDigit {
                result.unicodeScalars.append(scalar)
            } else if !isInNumber {
                result += "*"
            }
            isInNumber = isDigit
        }
        return result
    }
}
