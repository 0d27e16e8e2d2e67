import SwiftProtobuf

/// Packets in the format of a file: each is preceded by its tag and length.
struct PerfettoPacketBuffer {
    private(set) var bytes: [UInt8] = []

    /// The id of the only packet sequence. Interned names are valid only for packets of the same sequence.
    static let sequence: UInt32 = 1

    /// Appends a packet.
    mutating func append(_ packet: PerfettoTracePacket) {
        // The format has no required field, so encoding cannot fail.
        guard let content: [UInt8] = try? packet.serializedBytes() else { return }
        bytes.append(0x0a)  // field 1 of the message Trace: a packet of the given length
        var length = content.count
        while length >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes.append(contentsOf: content)
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Stores packets until the export is written. Names must precede the packets that use them, but are complete only at
/// the end.
struct PerfettoPacketFile {
    private static let bufferSize = 1 << 20

    private var file: TemporaryFile?
    private var buffer = PerfettoPacketBuffer()
    private var failure: TemporaryFileError?

    /// Appends a packet. Does nothing after a failure.
    mutating func append(_ packet: PerfettoTracePacket) {
        guard failure == nil else { return }
        buffer.append(packet)
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
