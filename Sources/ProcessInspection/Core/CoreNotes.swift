/// The notes of a core file: its threads, the mapped files, and the auxiliary vector.
///
/// Sources: `elf_core_dump` of Linux (`fs/binfmt_elf.c`), and the structures of `linux/elfcore.h` for 64 bits.
struct CoreNotes {
    /// A thread (`NT_PRSTATUS`).
    struct Thread {
        /// The id in the namespace of the process.
        let tid: Int32
        /// The number of the signal that ended the process; 0 in the core of a process that continued.
        let signal: Int32
        let registers: CoreRegisters
    }

    /// A part of a file that was mapped (`NT_FILE`).
    struct MappedPart {
        let range: Range<UInt64>
        /// Offset in the file of the first byte.
        let offset: UInt64
        /// The path in the file system of the process, without the mark of a removed file.
        let path: String
        let isDeleted: Bool
    }

    private enum Kind {
        static let threadStatus: UInt32 = 1
        static let process: UInt32 = 3
        static let auxiliary: UInt32 = 6
        static let files: UInt32 = 0x4649_4C45
    }

    private enum Auxiliary {
        static let programHeaders: UInt64 = 3
        static let vdso: UInt64 = 33
    }

    private static let headerSize = 12
    private static let owner = Array("CORE\0".utf8)
    /// Limits against damaged notes.
    private static let mostThreads = 1 << 16
    private static let mostParts = 1 << 20

    private(set) var threads: [Thread] = []
    private(set) var parts: [MappedPart] = []
    /// The process id; nil without `NT_PRPSINFO`.
    private(set) var pid: Int32?
    /// The name that the process gave itself, at most 15 bytes.
    private(set) var name: String?
    /// The address of the program headers of the executable.
    private(set) var programHeaders: UInt64?
    /// The address of the kernel's own code in the process.
    private(set) var vdso: UInt64?

    /// Adds the notes of a segment. Damaged notes end it.
    ///
    /// A note is name size, description size, type, name and description. Name and description are padded to 4 bytes.
    mutating func read(_ notes: [UInt8]) {
        var position = 0
        while let nameSize: UInt32 = notes.integer(at: position), let size: UInt32 = notes.integer(at: position + 4),
            let type: UInt32 = notes.integer(at: position + 8)
        {
            let nameBegin = position + Self.headerSize
            let begin = nameBegin + (Int(nameSize) + 3) & ~3
            let end = begin + Int(size)
            guard end <= notes.count else { return }
            if notes[nameBegin..<nameBegin + Int(nameSize)].elementsEqual(Self.owner) {
                read(type, Array(notes[begin..<end]))
            }
            position = begin + (Int(size) + 3) & ~3
        }
    }

    private mutating func read(_ type: UInt32, _ content: [UInt8]) {
        switch type {
        case Kind.threadStatus:
            guard threads.count < Self.mostThreads, let thread = Self.thread(content) else { return }
            threads.append(thread)
        case Kind.process:
            pid = content.integer(at: 24)
            name = Self.text(content, at: 40, longest: 16)
        case Kind.auxiliary:
            for entry in stride(from: 0, to: content.count, by: 16) {
                guard let key: UInt64 = content.integer(at: entry), let value: UInt64 = content.integer(at: entry + 8)
                else { return }
                if key == Auxiliary.programHeaders { programHeaders = value }
                if key == Auxiliary.vdso { vdso = value }
            }
        case Kind.files: parts = Self.parts(content)
        default: break
        }
    }

    /// Reads `struct elf_prstatus`.
    private static func thread(_ content: [UInt8]) -> Thread? {
        guard let signal: Int16 = content.integer(at: 12), let tid: Int32 = content.integer(at: 32),
            let registers = CoreRegisters(content, at: 112)
        else { return nil }
        return Thread(tid: tid, signal: Int32(signal), registers: registers)
    }

    /// Reads the list of mapped files: count, page size, then begin, end and offset in pages of each part, then their
    /// paths.
    private static func parts(_ content: [UInt8]) -> [MappedPart] {
        guard let count: UInt64 = content.integer(at: 0), let pageSize: UInt64 = content.integer(at: 8),
            count <= mostParts, Int(count) <= (content.count - 16) / 24
        else { return [] }
        var position = 16 + Int(count) * 24
        var parts: [MappedPart] = []
        for entry in stride(from: 16, to: position, by: 24) {
            guard let end = content[position...].firstIndex(of: 0) else { return parts }
            var path = String(decoding: content[position..<end], as: UTF8.self)
            position = end + 1
            let isDeleted = path.hasSuffix(ProcessIdentity.deletedMark)
            if isDeleted { path.removeLast(ProcessIdentity.deletedMark.utf8.count) }
            guard let begin: UInt64 = content.integer(at: entry), let limit: UInt64 = content.integer(at: entry + 8),
                let page: UInt64 = content.integer(at: entry + 16), begin < limit, limit <= ProcessMemory.addressLimit
            else { continue }
            let offset = page.multipliedReportingOverflow(by: pageSize)
            guard !offset.overflow else { continue }
            parts.append(
                MappedPart(range: begin..<limit, offset: offset.partialValue, path: path, isDeleted: isDeleted))
        }
        return parts
    }

    private static func text(_ content: [UInt8], at offset: Int, longest: Int) -> String? {
        guard content.count >= offset + longest else { return nil }
        let text = content[offset..<offset + longest].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
