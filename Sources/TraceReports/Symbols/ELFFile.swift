import FoundationEssentials

/// What an ELF file says: 64-bit and little-endian, which is all that Queuescope runs on.
///
/// Any file is accepted: every offset in it may be wrong, and what does not lie in the file is taken as missing, as in
/// a file that is cut short. The file must not be cut while it is read.
public struct ELFFile {
    /// A function of a symbol table.
    struct Symbol {
        /// As in the file: mangled.
        let name: String
        /// Address in the file.
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
        /// Empty where it does not lie in the file.
        let range: Range<Int>
        /// Of a section: the number of the one that it refers to.
        var link = 0
    }

    /// The dynamic section's tag for the name of a library.
    private static let needed: UInt64 = 1
    /// The type of the note that has the build id, and its owner.
    fileprivate static let buildIDNote: UInt32 = 3
    fileprivate static let gnu = Array("GNU\0".utf8)
    /// A symbol's type, in the lower half of its `st_info`; the upper half is its binding, 0 for what other files do
    /// not see.
    private static let function: UInt8 = 2
    /// Longer names are no function's that anybody looks for.
    private static let longestName = 4096
    /// Limit against hostile files.
    private static let symbolLimit = 1 << 22

    /// The processor architecture, `e_machine`.
    public let machine: UInt16
    private let data: Data
    private let segments: [Part]
    private let sections: [Part]

    /// Reads the headers of a file; nil when it cannot be read or is no such ELF file.
    public init?(path: String) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
        self.init(data)
    }

    /// Reads the headers; nil when the bytes are no such ELF file.
    public init?(_ data: Data) {
        guard data.starts(with: [0x7F] + "ELF".utf8 + [2, 1]) else { return nil }
        let parts = data.withUnsafeBytes { bytes -> (UInt16, [Part], [Part])? in
            guard let machine: UInt16 = bytes.integer(at: 18) else { return nil }
            let segments = bytes.table(offset: 32, entrySize: 54, count: 56).compactMap { entry in
                bytes.integer(at: entry).map {
                    Part(type: $0, range: bytes.range(at: entry + 8, size: entry + 32))
                }
            }
            // None is left out, as they refer to each other by their numbers.
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
    /// Whether the dynamic linker starts it; only then can anything be preloaded.
    public var hasInterpreter: Bool { segments.contains { $0.type == SegmentType.interpreter } }

    /// The sonames of the libraries that it asks for itself.
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

    /// The functions that other files of the process see.
    public var exportedFunctions: Set<String> {
        Set(functions(in: SectionType.dynamicSymbols, onlyExported: true) { _ in true }.map(\.name))
    }

    /// The GNU build id in hexadecimal, which tells whether the file on this machine is the one that was recorded; nil
    /// when it has none.
    var buildID: String? {
        data.withUnsafeBytes { bytes in
            segments.lazy.filter { $0.type == SegmentType.notes }.compactMap { bytes.buildID(inNotes: $0.range) }.first
        }
    }
}

// MARK: Symbols

extension ELFFile {
    /// Looks functions up by their names, and leaves out those that the file does not have.
    func functions(named names: Set<String>) -> [String: Symbol] {
        let wanted = Set(names.map { Array($0.utf8) })
        let lengths = Set(wanted.map(\.count))
        let found = functions { lengths.contains($0.count) && wanted.contains(Array($0)) }
        return Dictionary(found.map { ($0.name, $0) }) { _, last in last }
    }

    /// The functions with names, in UTF-8, that are wanted. Several object files may have one of the same name.
    func functions(whereName isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol] {
        functions(in: SectionType.symbols, onlyExported: false, whereName: isWanted)
    }

    private func strings(of section: Part) -> Range<Int> {
        section.link < sections.count ? sections[section.link].range : 0..<0
    }

    private func functions(
        in type: UInt32, onlyExported: Bool, whereName isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> [Symbol] {
        // A file has one.
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
    /// Nil outside of the file.
    fileprivate func integer<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        return Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// A 64-bit offset or size.
    fileprivate func offset(at position: Int) -> Int? {
        let value: UInt64? = integer(at: position)
        return value.flatMap { Int(exactly: $0) }
    }

    /// The range whose begin and size are given at two places; empty where it does not lie in the file.
    fileprivate func range(at begin: Int, size: Int) -> Range<Int> {
        guard let begin = offset(at: begin), let size = offset(at: size), begin >= 0, begin <= count, size >= 0,
            size <= count - begin
        else { return 0..<0 }
        return begin..<begin + size
    }

    /// The offsets of the entries of a header table, whose own place, entry size and count are given at three offsets.
    fileprivate func table(offset: Int, entrySize: Int, count entries: Int) -> [Int] {
        guard let begin = self.offset(at: offset), let step: UInt16 = integer(at: entrySize),
            let entries: UInt16 = integer(at: entries), step > 0, begin >= 0, begin <= count,
            Int(step) * Int(entries) <= count - begin
        else { return [] }
        return (0..<Int(entries)).map { begin + $0 * Int(step) }
    }

    /// The text in a table of strings that ends with a zero byte; nil when it does not within so many bytes.
    fileprivate func text(at offset: Int, in strings: Range<Int>, upTo longest: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, offset < strings.count else { return nil }
        let begin = strings.lowerBound + offset
        let rest = self[begin..<Swift.min(strings.upperBound, begin + longest)]
        return rest.firstIndex(of: 0).map { UnsafeRawBufferPointer(rebasing: self[begin..<$0]) }
    }

    /// Notes are (name size, description size, type), name, description, each padded to 4 bytes.
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
