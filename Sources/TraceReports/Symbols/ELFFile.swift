import FoundationEssentials

/// Reads 64-bit little-endian ELF files, the only kind on the platforms of Queuescope.
///
/// The contents are untrusted: any offset can be wrong. Parts that are outside of the file are treated as missing, as
/// in a truncated file. The file must not be truncated while it is read.
public struct ELFFile {
    /// A function of a symbol table.
    struct Symbol {
        /// The mangled name, as in the file.
        let name: String
        /// The address in the file.
        let address: UInt64
        let size: UInt64
    }

    private enum SegmentType {
        static let interpreter: UInt32 = 3
        static let notes: UInt32 = 4
    }

    private enum SectionType {
        static let symbols: UInt32 = 2
        static let dynamic: UInt32 = 6
        static let dynamicSymbols: UInt32 = 11
    }

    /// A segment or a section.
    private struct Part {
        let type: UInt32
        /// Empty when the part is not inside of the file.
        let range: Range<Int>
        /// For a section, the number of the section that it refers to.
        var link = 0
    }

    /// The tag of the dynamic section for the name of a needed library.
    private static let needed: UInt64 = 1
    /// The type of the note with the build id, and its owner.
    fileprivate static let buildIDNote: UInt32 = 3
    fileprivate static let gnu = Array("GNU\0".utf8)
    /// The function type in the lower four bits of a symbol's `st_info`. The upper four bits are the binding; 0 is
    /// local to the file.
    private static let function: UInt8 = 2
    /// The longest name that is compared. Longer names are not names of functions of interest.
    private static let longestName = 4096
    /// The most symbols that are returned; a limit against hostile files.
    private static let symbolLimit = 1 << 22

    /// The processor architecture, `e_machine`.
    public let machine: UInt16
    private let data: Data
    private let segments: [Part]
    private let sections: [Part]

    /// Reads the headers of a file; nil when the file cannot be read or is not such an ELF file.
    public init?(path: String) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
        self.init(data)
    }

    /// Reads the headers; nil when the bytes are not such an ELF file.
    public init?(_ data: Data) {
        guard data.starts(with: [0x7F] + "ELF".utf8 + [2, 1]) else { return nil }
        let parts = data.withUnsafeBytes { bytes -> (UInt16, [Part], [Part])? in
            guard let machine: UInt16 = bytes.integer(at: 18) else { return nil }
            let segments = bytes.table(offset: 32, entrySize: 54, count: 56).compactMap { entry in
                bytes.integer(at: entry).map {
                    Part(type: $0, range: bytes.range(at: entry + 8, size: entry + 32))
                }
            }
            // Invalid sections are kept, because sections refer to each other by number.
            let sections = bytes.table(offset: 40, entrySize: 58, count: 60).map { entry in
                let link: UInt32 = bytes.integer(at: entry + 40) ?? 0
                return Part(
                    type: bytes.integer(at: entry + 4) ?? 0, range: bytes.range(at: entry + 24, size: entry + 32),
                    link: Int(link))
            }
            return (machine, segments, sections)
        }
        guard let (machine, segments, sections) = parts else { return nil }
        self.data = data
        self.machine = machine
        self.segments = segments
        self.sections = sections
    }
}

// MARK: How it is linked

extension ELFFile {
    /// Whether the dynamic linker starts the program. A library can be preloaded only then.
    public var hasInterpreter: Bool { segments.contains { $0.type == SegmentType.interpreter } }

    /// The sonames of the libraries that the file itself requires.
    public var neededLibraries: [String] {
        data.withUnsafeBytes { bytes in
            sections.filter { $0.type == SectionType.dynamic }.flatMap { section in
                stride(from: section.range.lowerBound, to: section.range.upperBound, by: 16).compactMap { entry in
                    guard bytes.integer(at: entry) == Self.needed, let name = bytes.offset(at: entry + 8) else {
                        return nil
                    }
                    return bytes.text(at: name, in: strings(of: section), upTo: Self.longestName)
                        .map { String(decoding: $0, as: UTF8.self) }
                }
            }
        }
    }

    /// The functions that are visible to other files of the process.
    public var exportedFunctions: Set<String> {
        Set(functions(in: SectionType.dynamicSymbols, onlyExported: true) { _ in true }.map(\.name))
    }

    /// The GNU build id in hexadecimal; nil when there is none. It shows whether the file on this machine is the
    /// recorded file.
    var buildID: String? {
        data.withUnsafeBytes { bytes in
            segments.lazy.filter { $0.type == SegmentType.notes }.compactMap { bytes.buildID(inNotes: $0.range) }.first
        }
    }
}

// MARK: Symbols

extension ELFFile {
    /// Looks up functions by name. Names that the file does not have are omitted.
    func functions(named names: Set<String>) -> [String: Symbol] {
        let wanted = Set(names.map { Array($0.utf8) })
        let lengths = Set(wanted.map(\.count))
        let found = functions { lengths.contains($0.count) && wanted.contains(Array($0)) }
        return Dictionary(found.map { ($0.name, $0) }) { _, last in last }
    }

    /// The functions whose name (UTF-8) satisfies a condition. Several object files can have a function with the same
    /// name.
    func functions(whereName isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol] {
        functions(in: SectionType.symbols, onlyExported: false, whereName: isWanted)
    }

    private func strings(of section: Part) -> Range<Int> {
        section.link < sections.count ? sections[section.link].range : 0..<0
    }

    private func functions(
        in type: UInt32, onlyExported: Bool, whereName isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> [Symbol] {
        // A file has at most one table of each type.
        guard let table = sections.first(where: { $0.type == type }) else { return [] }
        let strings = strings(of: table)
        var found: [Symbol] = []
        data.withUnsafeBytes { bytes in
            for symbol in stride(from: table.range.lowerBound, to: table.range.upperBound - 23, by: 24) {
                let information = bytes[symbol + 4]
                guard information & 0xF == Self.function, !onlyExported || information >> 4 != 0,
                    let definingSection: UInt16 = bytes.integer(at: symbol + 6), definingSection != 0,
                    let place: UInt32 = bytes.integer(at: symbol),
                    let name = bytes.text(at: Int(place), in: strings, upTo: Self.longestName), isWanted(name)
                else { continue }
                found.append(
                    Symbol(
                        name: String(decoding: name, as: UTF8.self), address: bytes.integer(at: symbol + 8) ?? 0,
                        size: bytes.integer(at: symbol + 16) ?? 0))
                if found.count >= Self.symbolLimit { break }
            }
        }
        return found
    }
}

// MARK: Bytes

extension UnsafeRawBufferPointer {
    /// The little-endian integer at an offset; nil outside of the file.
    fileprivate func integer<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        return Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The 64-bit offset or size at a position.
    fileprivate func offset(at position: Int) -> Int? {
        let value: UInt64? = integer(at: position)
        return value.flatMap { Int(exactly: $0) }
    }

    /// The range whose begin and size are stored at two positions. Empty when the range is not inside of the file.
    fileprivate func range(at begin: Int, size: Int) -> Range<Int> {
        guard let begin = offset(at: begin), let size = offset(at: size), begin >= 0, begin <= count, size >= 0,
            size <= count - begin
        else { return 0..<0 }
        return begin..<begin + size
    }

    /// The offsets of the entries of a header table. Its offset, entry size and entry count are stored at three
    /// positions.
    fileprivate func table(offset: Int, entrySize: Int, count entries: Int) -> [Int] {
        guard let begin = self.offset(at: offset), let step: UInt16 = integer(at: entrySize),
            let entries: UInt16 = integer(at: entries), step > 0, begin >= 0, begin <= count,
            Int(step) * Int(entries) <= count - begin
        else { return [] }
        return (0..<Int(entries)).map { begin + $0 * Int(step) }
    }

    /// The text in a string table up to its zero byte; nil when there is no zero byte within `longest` bytes.
    fileprivate func text(at offset: Int, in strings: Range<Int>, upTo longest: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, offset < strings.count else { return nil }
        let begin = strings.lowerBound + offset
        let rest = self[begin..<Swift.min(strings.upperBound, begin + longest)]
        return rest.firstIndex(of: 0).map { UnsafeRawBufferPointer(rebasing: self[begin..<$0]) }
    }

    /// Notes consist of name size, description size, type, name and description. Name and description are padded to 4
    /// bytes.
    fileprivate func buildID(inNotes notes: Range<Int>) -> String? {
        var position = notes.lowerBound
        while position <= notes.upperBound - 12, let nameSize: UInt32 = integer(at: position),
            let size: UInt32 = integer(at: position + 4), let type: UInt32 = integer(at: position + 8)
        {
            let name = position + 12
            let description = name + (Int(nameSize) + 3) & ~3
            guard description + Int(size) <= notes.upperBound else { return nil }
            if type == ELFFile.buildIDNote, self[name..<name + Int(nameSize)].elementsEqual(ELFFile.gnu) {
                return self[description..<description + Int(size)].map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            }
            position = description + (Int(size) + 3) & ~3
        }
        return nil
    }
}
