import Glibc

/// Makes what a killed recorder left behind a trace that every CTF reader accepts.
public enum TraceFinalizer {
    /// Cuts off the end of each data stream file what holds nothing: packets that were prepared and never used, packets without events, and the rest of the
    /// last packet, whose header then says how large it is. Nothing else changes.
    ///
    /// Doing it again changes nothing. No program may be recording into the directory at the same time.
    ///
    /// - Parameter path: the trace's directory.
    /// - Returns: what was cut.
    /// - Throws: ``CTFError`` when there is no trace at the path or a file cannot be changed.
    public static func finalize(path: String) throws(CTFError) -> FinalizeReport {
        let plan = try TracePlan(try MetadataResolver.describe(try TraceDirectory.metadata(in: path)))
        // Nothing may be mapped any more when files become shorter.
        let cuts = try TraceDirectory.streamFiles(in: path).compactMap { cut(in: $0, plan) }
        for cut in cuts { try shorten(cut) }
        return FinalizeReport(files: cuts.map(\.file))
    }

    /// What becomes of a file.
    private struct Cut {
        var file: FinalizeReport.File
        /// Of the packet that becomes shorter: its new size in bits, where in the file that stands, and where the packet ended.
        var packetSize: (bits: UInt64, place: Int, end: Int)?
    }

    /// What to cut off a file, nil when there is nothing to cut or the file cannot be understood.
    private static func cut(in file: MappedFile, _ plan: TracePlan) -> Cut? {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: max(plan.storeCount, 1))
        defer { stores.deallocate() }
        stores.initialize(repeating: 0, count: max(plan.storeCount, 1))
        var last: (head: PacketHead, offset: Int)?
        var offset = 0
        packets: while offset < file.count {
            let room = (file.count - offset) * 8
            var head = PacketHead()
            switch head.read(base: file.bytes + offset, room: room, trace: plan, stores: stores) {
            case .damaged: return nil
            case .unused:
                let isEmpty = !head.hasContent && file.firstNonZero(from: offset + (head.size >> 3)) == nil
                guard isEmpty else { return nil }
                break packets
            case nil:
                guard let size = head.packetSize, size <= room else { return nil }
                // Without events it may still tell of discarded ones.
                let tells =
                    head.contentSize != head.size || head.values.discarded?.count != last?.head.values.discarded?.count
                if tells || last == nil { last = (head, offset) }
                offset += size >> 3
            }
        }
        var cut = Cut(file: .init(path: file.path, bytesBefore: file.count, bytesAfter: 0))
        if let (head, start) = last, let size = head.packetSize {
            cut.file.bytesAfter = start + (size >> 3)
            if let content = head.contentSize, let place = head.values.packetSizePlace, content <= size - 8 {
                let bytes = BitField.align(content, 8) >> 3
                cut.file.bytesAfter = start + bytes
                cut.packetSize = (UInt64(bytes) * 8, start + place, start + (size >> 3))
            }
        }
        return cut.file.bytesAfter < file.count ? cut : nil
    }

    private static func shorten(_ cut: Cut) throws(CTFError) {
        func failure(_ verb: String) -> CTFError {
            CTFError(
                .unreadable, at: .init(file: cut.file.path),
                "The file cannot be \(verb): \(String(cString: strerror(errno))); check its permissions")
        }
        let descriptor = open(cut.file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("opened for writing") }
        defer { close(descriptor) }
        // In this order whoever is killed in between leaves whole packets, with nothing but what the last one did not use behind them.
        if let (size, place, end) = cut.packetSize {
            guard ftruncate(descriptor, end) == 0 else { throw failure("shortened") }
            var word = size.littleEndian
            guard pwrite(descriptor, &word, 8, off_t(place)) == 8 else { throw failure("written") }
        }
        guard ftruncate(descriptor, cut.file.bytesAfter) == 0 else { throw failure("shortened") }
    }
}
