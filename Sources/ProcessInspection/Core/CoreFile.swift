/// The headers of an ELF core file: the segments of memory, and the notes with the threads.
///
/// The content is untrusted: each number can be wrong, and the file can end anywhere. Parts outside of the file are
/// missing.
struct CoreFile {
    /// A range of memory. Its first `fileSize` bytes are in the file, unless the file is truncated.
    struct Segment {
        let range: Range<UInt64>
        let isReadable: Bool
        let isWritable: Bool
        let isExecutable: Bool
        /// Offset in the core file of the first byte.
        let offset: UInt64
        let fileSize: UInt64

        /// The part whose content was written to the core file.
        var written: Range<UInt64> {
            range.lowerBound..<range.lowerBound + min(fileSize, range.upperBound - range.lowerBound)
        }
    }

    /// Numbers of the ELF format and their limits.
    private enum Format {
        static let headerSize = 64
        static let segmentSize = 56
        static let magic = [0x7F] + Array("ELF".utf8)
        static let wide: UInt8 = 2
        static let littleEndian: UInt8 = 1
        static let core: UInt16 = 4
        static let programs: [UInt16] = [2, 3]
        static let load: UInt32 = 1
        static let notes: UInt32 = 4
        /// The number of segments is in the first section header instead.
        static let manySegments: UInt16 = 0xFFFF
        static let sectionSegmentCount = 44
        #if arch(arm64)
            static let machine: UInt16 = 183
        #else
            static let machine: UInt16 = 62
        #endif
        static let machineNames: [UInt16: String] = [
            3: "x86", 8: "MIPS", 21: "PowerPC", 22: "S/390", 40: "arm", 62: "x86-64", 183: "arm64", 243: "RISC-V",
        ]
    }

    /// Begins of compressed files, and the programs that decompress them.
    private static let compressions: [(magic: [UInt8], program: String)] = [
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd -d"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -d"),
        ([0x04, 0x22, 0x4D, 0x18], "lz4 -d"), ([0x1F, 0x8B], "gzip -d"),
    ]
    /// The largest notes that are read. A process with 10,000 threads has some 50 MB.
    private static let largestNotes = 1 << 28

    private let file: InspectedFile
    /// Sorted by address, not empty.
    let segments: [Segment]
    let notes: CoreNotes
    /// Bytes that the headers place after the end of the file.
    let missingBytes: UInt64

    var path: String { file.path }
    var size: UInt64 { file.size }

    /// Reads the headers and the notes.
    ///
    /// - Parameter path: the path of the core file.
    /// - Throws: ``InspectionError`` when the file cannot be read, or is not a core file of this architecture with
    ///   threads.
    init(_ path: String) throws(InspectionError) {
        file = try InspectedFile(path)
        let count = try Self.segmentCount(in: file)
        let present = (file.size - min(file.size, count.table)) / UInt64(Format.segmentSize)
        let entries = file.bytes(
            at: count.table, count: Int(clamping: min(present, count.segments)) * Format.segmentSize)
        var segments: [Segment] = []
        var notes = CoreNotes()
        var missing: UInt64 = 0
        var room = Self.largestNotes
        for entry in stride(from: 0, through: entries.count - Format.segmentSize, by: Format.segmentSize) {
            guard let type: UInt32 = entries.integer(at: entry), let flags: UInt32 = entries.integer(at: entry + 4),
                let offset: UInt64 = entries.integer(at: entry + 8),
                let address: UInt64 = entries.integer(at: entry + 16),
                let fileSize: UInt64 = entries.integer(at: entry + 32),
                let memorySize: UInt64 = entries.integer(at: entry + 40)
            else { break }
            guard type == Format.load || type == Format.notes else { continue }
            let absent = fileSize - min(fileSize, offset < file.size ? file.size - offset : 0)
            missing = absent > .max - missing ? .max : missing + absent
            if type == Format.notes {
                let content = file.bytes(at: offset, count: min(room, Int(clamping: fileSize)))
                room -= content.count
                notes.read(content)
            } else if memorySize > 0, address < ProcessMemory.addressLimit, memorySize < ProcessMemory.addressLimit {
                segments.append(
                    Segment(
                        range: address..<address + memorySize, isReadable: flags & 4 != 0, isWritable: flags & 2 != 0,
                        isExecutable: flags & 1 != 0, offset: offset, fileSize: fileSize))
            }
        }
        if present < count.segments { missing = max(missing, 1) }
        guard !notes.threads.isEmpty, !segments.isEmpty else {
            throw InspectionError(
                code: .notCore,
                sentence: missing > 0
                    ? "\(path) is truncated before its list of threads" : "\(path) has no threads and no memory")
        }
        self.segments = segments.sorted { $0.range.lowerBound < $1.range.lowerBound }
        self.notes = notes
        missingBytes = missing
    }

    /// Checks the header of the file, and finds the table of the segments.
    private static func segmentCount(
        in file: InspectedFile
    ) throws(InspectionError) -> (table: UInt64, segments: UInt64) {
        let path = file.path
        let head = file.bytes(at: 0, count: Format.headerSize)
        func refuse(_ code: InspectionError.Code, _ sentence: String) -> InspectionError {
            InspectionError(code: code, sentence: sentence)
        }
        guard head.starts(with: Format.magic) else {
            if let known = compressions.first(where: { head.starts(with: $0.magic) }) {
                throw refuse(.notCore, "\(path) is compressed. Decompress it first: \(known.program) \(path)")
            }
            throw refuse(.notCore, "\(path) is not an ELF file, so it is no core file")
        }
        guard head.count == Format.headerSize, let type: UInt16 = head.integer(at: 16),
            let machine: UInt16 = head.integer(at: 18), let table: UInt64 = head.integer(at: 32),
            let sections: UInt64 = head.integer(at: 40), let count: UInt16 = head.integer(at: 56)
        else { throw refuse(.notCore, "\(path) is truncated in its header") }
        guard head[5] == Format.littleEndian else {
            throw refuse(.unsupported, "\(path) is of a big-endian processor, which is not supported")
        }
        guard head[4] == Format.wide else {
            throw refuse(.unsupported, "\(path) is of a 32-bit program. Only 64-bit programs can be inspected")
        }
        guard type == Format.core else {
            let isProgram = Format.programs.contains(type)
            throw refuse(
                .notCore,
                "\(path) is \(isProgram ? "an executable or a library" : "another kind of ELF file"), not a core file"
                    + (isProgram ? ". Name the executable with --executable" : ""))
        }
        guard machine == Format.machine else {
            let name = Format.machineNames[machine] ?? "another processor (number \(machine))"
            throw refuse(
                .unsupported,
                "\(path) is of a program for \(name). Inspect it with queuescope on a machine of that kind")
        }
        guard count == Format.manySegments else { return (table, UInt64(count)) }
        let section = file.bytes(at: sections, count: Format.headerSize)
        guard let many: UInt32 = section.integer(at: Format.sectionSegmentCount) else {
            throw refuse(.notCore, "\(path) is truncated before its list of threads")
        }
        return (table, UInt64(many))
    }

    /// The segment that contains an address; nil when there is none.
    func segment(holding address: UInt64) -> Segment? {
        let next = segments.partitioningIndex { $0.range.lowerBound > address }
        return next > 0 && segments[next - 1].range.contains(address) ? segments[next - 1] : nil
    }

    /// Copies memory that is in the core file.
    ///
    /// - Parameters:
    ///   - address: the first address.
    ///   - buffer: the destination.
    /// - Returns: the number of bytes, at most to the end of the segment; nil when the byte at the address was not
    ///   written to the core file, 0 when the file is truncated before it.
    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let segment = segment(holding: address), segment.written.contains(address) else { return nil }
        let rest = Int(clamping: segment.written.upperBound - address)
        let offset = segment.offset.addingReportingOverflow(address - segment.range.lowerBound)
        guard !offset.overflow else { return 0 }
        return file.read(
            at: offset.partialValue, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest, buffer.count)]))
    }

    /// The part of the written memory of a segment that is inside of the file.
    func present(_ segment: Segment) -> Range<UInt64> {
        let inFile = segment.offset < file.size ? file.size - segment.offset : 0
        let written = segment.written
        let end = written.lowerBound + min(inFile, ProcessMemory.addressLimit)
        return written.lowerBound..<min(written.upperBound, end)
    }
}
