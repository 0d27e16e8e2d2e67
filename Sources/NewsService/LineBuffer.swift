/// Bytes of a stream, removed line by line.
struct LineBuffer {
    private var bytes: [UInt8] = []

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Removes all complete lines and returns them without their line ends.
    mutating func takeLines() -> [[UInt8]] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let result = lines.map(Array.init)
        bytes.removeSubrange(...end)
        return result
    }
}
