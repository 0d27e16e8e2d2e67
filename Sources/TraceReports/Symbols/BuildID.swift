import Glibc

/// The GNU build id of an ELF file: tells whether the file on this machine is the one that was recorded.
enum BuildID {
    /// The build id in hexadecimal; nil when the file cannot be read or has none.
    ///
    /// Reads the program headers and the note segments only, not the whole file.
    static func ofFile(at path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let header = read(file, at: 0, count: 64), Array(header[0..<5]) == [0x7F, 0x45, 0x4C, 0x46, 2] else {
            return nil
        }
        let tableOffset = integer(header, at: 32, bytes: 8)
        let entrySize = integer(header, at: 54, bytes: 2)
        let entryCount = integer(header, at: 56, bytes: 2)
        guard entrySize >= 56, entryCount < 4_096,
            let table = read(file, at: tableOffset, count: entrySize * entryCount)
        else { return nil }
        for entry in stride(from: 0, to: table.count, by: Int(entrySize)) where integer(table, at: entry, bytes: 4) == 4
        {
            let offset = integer(table, at: entry + 8, bytes: 8)
            let size = integer(table, at: entry + 32, bytes: 8)
            guard size < 1 << 20, let notes = read(file, at: offset, count: size) else { continue }
            if let id = buildID(inNotes: notes) { return id }
        }
        return nil
    }

    /// Notes are (name size, description size, type), name, description, each padded to 4 bytes.
    private static func buildID(inNotes notes: [UInt8]) -> String? {
        var position = 0
        while position + 12 <= notes.count {
            let nameSize = Int(integer(notes, at: position, bytes: 4))
            let size = Int(integer(notes, at: position + 4, bytes: 4))
            let type = integer(notes, at: position + 8, bytes: 4)
            let name = position + 12
            let description = name + ((nameSize + 3) & ~3)
            guard description + size <= notes.count else { return nil }
            if type == 3, Array(notes[name..<name + nameSize]) == [0x47, 0x4E, 0x55, 0] {
                return notes[description..<description + size].map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            }
            position = description + ((size + 3) & ~3)
        }
        return nil
    }

    private static func read(_ file: Int32, at offset: UInt64, count: UInt64) -> [UInt8]? {
        guard let position = off_t(exactly: offset) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, size in
            size = max(pread(file, buffer.baseAddress, Int(count), position), 0)
        }
        return bytes.count == Int(count) ? bytes : nil
    }

    /// Little-endian; ELF files of big-endian machines are not recorded.
    private static func integer(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> UInt64 {
        guard offset + count <= bytes.count else { return 0 }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
