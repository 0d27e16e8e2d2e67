import Glibc

/// Makes what a killed recorder left behind a trace that every CTF reader accepts.
public enum TraceFinalizer {
    /// Cuts the packets that were prepared but never used off the end of each data stream file; nothing else changes.
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
        return FinalizeReport(files: cuts)
    }

    /// What to cut off a file, nil when it ends with a packet or cannot be understood.
    private static func cut(in file: MappedFile, _ plan: TracePlan) -> FinalizeReport.File? {
        let stores = UnsafeMutablePointer<UInt64>.allocate(capacity: max(plan.storeCount, 1))
        defer { stores.deallocate() }
        stores.initialize(repeating: 0, count: max(plan.storeCount, 1))
        var offset = 0
        while offset < file.count {
            let room = (file.count - offset) * 8
            var head = PacketHead()
            switch head.read(base: file.bytes + offset, room: room, trace: plan, stores: stores) {
            case .damaged: return nil
            case .unused:
                let isEmpty = !head.hasContent && file.firstNonZero(from: offset + (head.size >> 3)) == nil
                return isEmpty ? .init(path: file.path, bytesBefore: file.count, bytesAfter: offset) : nil
            case nil:
                guard let size = head.packetSize, size <= room else { return nil }
                offset += size >> 3
            }
        }
        return nil
    }

    private static func shorten(_ cut: FinalizeReport.File) throws(CTFError) {
        func failure(_ verb: String) -> CTFError {
            CTFError(
                .unreadable, at: .init(file: cut.path),
                "The file cannot be \(verb): \(String(cString: strerror(errno))); check its permissions")
        }
        let descriptor = open(cut.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("opened for writing") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, cut.bytesAfter) == 0 else { throw failure("shortened") }
    }
}
