/// Bytes of a stream, taken out line by line.
struct LineBuffer {
    private var bytes: [UInt8] = []

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Takes out all complete lines, without their ends.
    mutating func takeLines() -> [[UInt8]] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let result = lines.map(Array.init)
        bytes.removeSubrange(...end)
        return result
    }
}
