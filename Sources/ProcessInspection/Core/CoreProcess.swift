/// A process whose memory and registers are in an ELF core file, all of one instant.
///
/// Memory that is not in the core file, because it is unchanged from a mapped file, is read from that file.
final class CoreProcess: InspectedProcess {
    private let file: CoreFile
    private let images: CoreImageFiles

    let pid: Int32
    let name: String
    let maps: ProcessMaps
    let core: CoreOrigin?

    var executablePath: String? { images.executable }

    /// Opens a core file and the files that it refers to.
    ///
    /// - Parameters:
    ///   - path: the core file.
    ///   - choice: where the executable and the libraries are on this machine.
    /// - Throws: ``InspectionError`` when the file is not a core file that can be read.
    init(_ path: String, choice: CoreImageFiles.Choice) throws(InspectionError) {
        if let executable = choice.executable { _ = try InspectedFile(executable) }
        file = try CoreFile(path)
        images = CoreImageFiles(of: file, choice: choice)
        let notes = file.notes
        pid = notes.pid ?? notes.threads.map(\.tid).min() ?? 0
        name = images.executable?.split(separator: "/").last.map(String.init) ?? notes.name ?? "\(pid)"
        core = CoreOrigin(path: path, signal: notes.threads.first { $0.signal != 0 }?.signal)
        maps = ProcessMaps(Self.mappings(of: file, images))
    }

    /// A core file has a segment for each mapping. Programs that write core files can omit segments without content.
    private static func mappings(of core: CoreFile, _ images: CoreImageFiles) -> [Mapping] {
        let notes = core.notes
        let parts = notes.parts.sorted { $0.range.lowerBound < $1.range.lowerBound }
        func part(holding address: UInt64) -> CoreNotes.MappedPart? {
            let next = parts.partitioningIndex { $0.range.lowerBound > address }
            return next > 0 && parts[next - 1].range.contains(address) ? parts[next - 1] : nil
        }
        let segments = core.segments.map { segment in
            let part = part(holding: segment.range.lowerBound)
            let path = notes.vdso.map(segment.range.contains) == true ? "[vdso]" : ""
            return Mapping(
                range: segment.range, isReadable: segment.isReadable, isWritable: segment.isWritable,
                isExecutable: segment.isExecutable,
                offset: part.map { $0.offset &+ (segment.range.lowerBound - $0.range.lowerBound) } ?? 0,
                path: part?.path ?? path, isDeleted: part?.isDeleted ?? false)
        }
        let others = parts.filter { core.segment(holding: $0.range.lowerBound) == nil }.map { part in
            Mapping(
                range: part.range, isReadable: true, isWritable: false,
                isExecutable: images.hasCode(in: part), offset: part.offset, path: part.path,
                isDeleted: part.isDeleted)
        }
        return segments + others
    }

    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = readPart(at: address &+ UInt64(done), into: rest)
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    /// Reads at most to the end of a mapping.
    private func readPart(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let count = file.read(at: address, into: buffer) { return count }
        guard let mapping = maps.mapping(holding: address), let mapped = images.file(of: mapping.path) else { return 0 }
        let offset = mapping.offset.addingReportingOverflow(address - mapping.range.lowerBound)
        guard !offset.overflow else { return 0 }
        let rest = min(buffer.count, Int(clamping: mapping.range.upperBound - address))
        return mapped.read(at: offset.partialValue, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<rest]))
    }

    func file(of mapping: Mapping) -> String { images.symbolPath(of: mapping.path) }

    func presentRuns(of range: Range<UInt64>) -> [Range<UInt64>] {
        // A mapping has one segment.
        guard let segment = file.segment(holding: range.lowerBound) else { return [] }
        let present = file.present(segment).clamped(to: range)
        return present.isEmpty ? [] : [present]
    }

    func threads(limit: Int, unwinder: Unwinder) -> [InspectedThread] {
        let memory = ProcessMemory(self)
        return file.notes.threads.sorted { $0.tid < $1.tid }.prefix(limit).map { thread in
            let call = thread.registers.blockedCall(in: memory)
            return InspectedThread(
                tid: thread.tid, innerID: UInt32(bitPattern: thread.tid), name: "", state: call == nil ? "R" : "S",
                call: call, stack: unwinder.stack(from: thread.registers.file, copy: nil), unread: nil, stoppedFor: nil)
        }
    }

    /// Constant: a core file has one instant.
    func switches(of tid: Int32) -> UInt64? { 0 }

    func currentCall(of thread: InspectedThread) -> SystemCall? { thread.call }

    var gaps: [String] {
        var gaps = images.gaps
        if file.missingBytes > 0 {
            gaps.insert(
                "\(file.path) is truncated: it has \(file.size >> 20) MiB, and \(max(1, file.missingBytes >> 20)) MiB "
                    + "are missing. Threads, queues and tasks in the missing part are unknown.",
                at: 0)
        }
        return gaps
    }
}
