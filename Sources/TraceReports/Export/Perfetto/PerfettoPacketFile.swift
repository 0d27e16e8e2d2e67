/// Stores packets until the export is written. Names must precede the packets that use them, but are complete only at
/// the end.
struct PerfettoPacketFile {
    private static let bufferSize = 1 << 20

    private var file: TemporaryFile?
    private var buffer = ProtobufMessage()
    private var failure: TemporaryFileError?

    /// Appends a packet. Does nothing after a failure.
    mutating func append(_ packet: PerfettoPacket) {
        guard failure == nil else { return }
        packet.append(to: &buffer)
        if buffer.bytes.count >= Self.bufferSize { flush() }
    }

    private mutating func flush() {
        do throws(TemporaryFileError) {
            if file == nil { file = try TemporaryFile() }
            try file?.append(buffer.bytes)
        } catch {
            failure = error
        }
        buffer.removeAll()
    }

    /// Passes everything that was appended to `sink`, in order.
    ///
    /// - Throws: the error of `sink`, and ``TemporaryFileError`` when a packet could not be stored.
    mutating func copy(to sink: ([UInt8]) throws -> Void) throws {
        if failure == nil, file != nil { flush() }
        if let failure { throw failure }
        if let file { try file.copy(to: sink) } else { try sink(buffer.bytes) }
    }
}
