/// Stores records of a fixed size with a text each, until the analysis has ended.
struct RecordSpool<Record: BitwiseCopyable> {
    private static var headerSize: Int { MemoryLayout<Record>.size + MemoryLayout<UInt32>.size }

    private var spool = ByteSpool()

    /// Appends a record. Does nothing after a failure, which ``read(_:)`` throws.
    mutating func append(_ record: Record, text: String = "") {
        spool.append { buffer in
            withUnsafeBytes(of: record) { buffer.append(contentsOf: $0) }
            var text = text
            text.withUTF8 { utf8 in
                withUnsafeBytes(of: UInt32(clamping: utf8.count)) { buffer.append(contentsOf: $0) }
                buffer.append(contentsOf: utf8)
            }
        }
    }

    /// Passes all records to `body`, in the order in which they were appended. May be called several times.
    ///
    /// - Parameter body: takes the next record and its text.
    /// - Throws: the error of `body`, and ``TemporaryFileError`` when a record could not be stored.
    mutating func read(_ body: (Record, String) throws -> Void) throws {
        // The begin of a record whose rest is in the next piece.
        var rest: [UInt8] = []
        try spool.copy { piece in
            rest += piece
            let parsed = try rest.withUnsafeBytes { try Self.parse($0, body) }
            rest.removeFirst(parsed)
        }
    }

    /// - Returns: the number of bytes of the complete records.
    private static func parse(
        _ bytes: UnsafeRawBufferPointer, _ body: (Record, String) throws -> Void
    ) throws -> Int {
        var begin = 0
        while bytes.count - begin >= headerSize {
            let record = bytes.loadUnaligned(fromByteOffset: begin, as: Record.self)
            let length = Int(
                bytes.loadUnaligned(fromByteOffset: begin + MemoryLayout<Record>.size, as: UInt32.self))
            let end = begin + headerSize + length
            guard end <= bytes.count else { break }
            try body(record, String(decoding: bytes[begin + headerSize..<end], as: UTF8.self))
            begin = end
        }
        return begin
    }
}
