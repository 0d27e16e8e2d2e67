/// Groups labels that differ in a number: `news.connection.7` and `news.connection.12` are `news.connection.*`.
public enum LabelPattern {
    /// The label with every decimal number, and every hexadecimal number after `0x`, replaced by `*`.
    ///
    /// - Parameter label: the label of a queue or a lock.
    /// - Returns: the pattern; the label itself when it has no digit.
    public static func of(_ label: String) -> String {
        var label = label
        return label.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { pattern in
                var count = 0
                var isInNumber = false
                var isHexadecimal = false
                for byte in bytes {
                    let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    let continues = isDigit || (isHexadecimal && UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte)
                    if isInNumber, continues { continue }
                    if isInNumber, byte == UInt8(ascii: "x"), !isHexadecimal {
                        isHexadecimal = true
                        continue
                    }
                    isInNumber = isDigit
                    isHexadecimal = false
                    pattern[count] = isDigit ? UInt8(ascii: "*") : byte
                    count += 1
                }
                return count
            }
        }
    }
}
