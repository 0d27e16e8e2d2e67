import SwiftProtobuf

/// Packets as they stand in a file: each with its tag and length before it.
struct PerfettoPacketBuffer {
    private(set) var bytes: [UInt8] = []

    /// The names of one sequence count for its own packets only.
    static let sequence: UInt32 = 1

    /// Appends a packet.
    mutating func append(_ packet: PerfettoTracePacket) {
        // Every field is set by us and none is required, so there is nothing that cannot be encoded.
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

/// Keeps packets until the export is written: names must stand before the packets that use them, and are known last.
struct PerfettoPacketFile {
    private static let bufferSize = 1 << 20

    private var file: TemporaryFile?
    private var buffer = PerfettoPacketBuffer()
    private var failure: TemporaryFileError?

    /// Appends a packet; after a failure does nothing.
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

    /// Hands everything that was appended to `sink`, in order.
    ///
    /// - Throws: what `sink` throws, and ``TemporaryFileError`` when a packet could not be kept.
    mutating func copy(to sink: ([UInt8]) throws -> Void) throws {
        if failure == nil, file != nil { flush() }
        if let failure { throw failure }
        if let file { try file.copy(to: sink) } else { try sink(buffer.bytes) }
    }
}
