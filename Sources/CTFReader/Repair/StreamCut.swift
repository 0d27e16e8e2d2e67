import Glibc

/// Ends the data stream files of a snapshot at one time. `snapshot.c` of `CTraceRecorder` does the same in the process.
///
/// ```
///                                ↓ end
///   packet   ├ head ┼ event ┼ event ┼ event ┼ event ┤
///   cut      ├ head ┼ event ┼ event ┤
/// ```
struct StreamCut {
    private typealias Head = ArenaLayout.Packet

    private let plan: TracePlan
    private let end: UInt64

    /// - Parameters:
    ///   - trace: the directory of the trace.
    ///   - end: the last clock value to keep.
    /// - Throws: a ``CTFError`` when the metadata is invalid.
    init(of trace: String, after end: UInt64) throws(CTFError) {
        plan = try TracePlan(TraceDescription.read(TraceDirectory.metadata(in: trace)))
        self.end = end
    }

    /// Removes the later events of a file. A stream without an event before the end has no file.
    ///
    /// - Parameters:
    ///   - path: the file, with whole packets.
    ///   - name: the name of the file in its trace.
    /// - Returns: the size of the rest in bytes; nil, with `errno`, when the file cannot be written.
    func apply(to path: String, name: String) -> Int? {
        guard let (offset, head, size) = try? lastPacket(of: path, name: name) else { return size(of: path) }
        // The begin of a packet after overwritten packets shows the time of the overwritten events.
        guard size > head.count || head.withUnsafeBytes({ $0.number(Head.number, UInt64.self) }) > 0 else {
            return unlink(path) == 0 ? 0 : nil
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(offset + size)) == 0,
            pwrite(descriptor, head, head.count, off_t(offset)) == head.count
        else { return nil }
        return offset + size
    }

    /// The first packet that ends after the end, as it is when it is cut: its offset, its head, and its size.
    private func lastPacket(of path: String, name: String) throws -> (offset: Int, head: [UInt8], size: Int)? {
        guard let file = try MappedFile(path: path, name: name) else { return nil }
        defer { withExtendedLifetime(file) {} }
        let index = file.packets(of: plan)
        guard let packet = index.packets.first(where: { $0.end ?? 0 > end }), let begin = packet.begin else {
            return nil
        }
        var (size, time, count, isOver) = (ArenaLayout.packetHead, begin, UInt32(0), false)
        RecordWalk(file: file, trace: plan).run(index.range(of: packet.offset, in: file), ofAnySize: true) { record in
            isOver = isOver || record.place.clock > end
            if !isOver { (size, time, count) = (record.place.end >> 3, record.place.clock, count + 1) }
        }
        var head = Array(UnsafeRawBufferPointer(start: file.bytes + packet.offset, count: ArenaLayout.packetHead))
        head.withUnsafeMutableBytes {
            $0.store(time, at: Head.end)
            $0.store(UInt64(size) * 8, at: Head.contentSize)
            $0.store(UInt64(size) * 8, at: Head.packetSize)
            // Zero: not counted.
            if packet.values.eventCount ?? 0 > 0 { $0.store(count, at: Head.owners) }
        }
        return (packet.offset, head, size)
    }

    private func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
