import CTFReader
import FoundationEssentials

/// Reads 64-bit little-endian ELF files, the only kind on the platforms of Queuescope.
///
/// The contents are untrusted: any offset can be wrong. Parts that are outside of the file are treated as missing, as
/// in a truncated file. The file must not be truncated while it is read.
public struct ELFFile {
    /// A function of a symbol table.
    package struct Symbol: Equatable {
        /// The mangled name, as in the file.
        let name: String
        /// The address in the file.
        package let address: UInt64
        let size: UInt64
    }

    private enum SegmentType {
        static let interpreter: UInt32 = 3
        static let notes: UInt32 = 4
    }

    private enum SectionType {
        static let symbols: UInt32 = 2
        static let noContent: UInt32 = 8
        static let dynamic: UInt32 = 6
        static let dynamicSymbols: UInt32 = 11
    }

    /// A segment or a section.
    struct Part {
        let type: UInt32
        /// Empty when the part is not inside of the file.
        let range: Range<Int>
        /// For a section, the number of the section that it refers to.
        var link = 0
        /// For a section, the offset of its name in the section with names.
        var name: UInt32 = 0
        var isCompressed = false
    }

    /// The tag of the dynamic section for the name of a needed library.
    private static let needed: UInt64 = 1
    /// Types in the lower four bits of a symbol's `st_info`. The upper four bits are the binding; 0 is
    /// local to the file.
    private static let variable: UInt8 = 1
    private static let function: UInt8 = 2
    private static let untyped: UInt8 = 0
    private static let indirectFunction: UInt8 = 10
    /// The first section number with a special meaning, such as an absolute value.
    private static let reservedSections: UInt16 = 0xFF00
    /// The flag of a compressed section, `SHF_COMPRESSED`, and the largest size that is decompressed.
    private static let compressed: UInt64 = 0x800
    private static let largestSection = 1 << 31
    /// The longest name that is compared. Longer names are not names of functions of interest.
    private static let longestName = 4096
    /// The longest name that is returned for an address.
    private static let longestSymbol = 1 << 16
    /// The most symbols that are returned; a limit against hostile files.
    private static let symbolLimit = 1 << 22

    /// The processor architecture, `e_machine`.
    public let machine: UInt16
    private let data: ReadOnlyBytes
    private let segments: [Part]
    private let sections: [Part]
    /// The names of the sections.
    private let sectionNames: Range<Int>

    /// Reads the headers of a file; nil when the file cannot be read or is not such an ELF file.
    public init?(path: String) {
        guard let bytes = ReadOnlyBytes(path: path) else { return nil }
        self.init(bytes)
    }

    /// Reads the headers; nil when the bytes are not such an ELF file.
    public init?(_ data: Data) { self.init(ReadOnlyBytes(data)) }

    private init?(_ data: ReadOnlyBytes) {
        guard data.bytes.starts(with: [0x7F] + "ELF".utf8 + [2, 1]) else { return nil }
        let parts = data.withUnsafeBytes { bytes -> (UInt16, [Part], [Part], Range<Int>)? in
            guard let machine: UInt16 = bytes.integer(at: 18) else { return nil }
            let segments = bytes.table(offset: 32, entrySize: 54, count: 56).compactMap { entry in
                bytes.integer(at: entry).map {
                    Part(type: $0, range: bytes.range(at: entry + 8, size: entry + 32))
                }
            }
            // Invalid sections are kept, because sections refer to each other by number.
            let sections = bytes.table(offset: 40, entrySize: 58, count: 60).map { entry in
                let type: UInt32 = bytes.integer(at: entry + 4) ?? 0
                let flags: UInt64 = bytes.integer(at: entry + 8) ?? 0
                let link: UInt32 = bytes.integer(at: entry + 40) ?? 0
                let hasContent = type != SectionType.noContent
                return Part(
                    type: type, range: hasContent ? bytes.range(at: entry + 24, size: entry + 32) : 0..<0,
                    link: Int(link), name: bytes.integer(at: entry) ?? 0,
                    isCompressed: flags & Self.compressed != 0)
            }
            let names: UInt16 = bytes.integer(at: 62) ?? 0
            return (machine, segments, sections, Int(names) < sections.count ? sections[Int(names)].range : 0..<0)
        }
        guard let (machine, segments, sections, names) = parts else { return nil }
        self.data = data
        self.machine = machine
        self.segments = segments
        self.sections = sections
        sectionNames = names
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
        Set(symbols(in: SectionType.dynamicSymbols, of: Self.function, onlyExported: true) { _ in true }.map(\.name))
    }

    /// The addresses in the file of functions that are visible to other files of the process. Names that the file does
    /// not export are omitted.
    package func exportedFunctions(named names: Set<String>) -> [String: UInt64] {
        let wanted = Set(names.map { Array($0.utf8) })
        let found = symbols(in: SectionType.dynamicSymbols, of: Self.function, onlyExported: true) {
            wanted.contains(Array($0))
        }
        return Dictionary(found.map { ($0.name, $0.address) }) { _, last in last }
    }

    /// The texts of a section that contains texts with a terminating zero each; empty when there is no such section.
    public func texts(inSection name: String) -> [String] {
        data.withUnsafeBytes { bytes in
            guard let section = section(named: name, in: bytes) else { return [] }
            return bytes[section.range].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The GNU build id in hexadecimal; nil when there is none. It shows whether the file on this machine is the
    /// recorded file.
    package var buildID: String? {
        data.withUnsafeBytes { bytes in
            segments.lazy.filter { $0.type == SegmentType.notes }.compactMap { bytes.buildID(inNotes: $0.range) }.first
        }
    }

    /// The name of the file with the debug information (`.gnu_debuglink`), without a folder; nil when there is none.
    var debugLink: String? {
        data.withUnsafeBytes { bytes in
            section(named: ".gnu_debuglink", in: bytes)
                .flatMap { bytes.text(at: 0, in: $0.range, upTo: Self.longestName) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

// MARK: Debug information

extension ELFFile {
    /// Whether the file has functions, files and lines of its code.
    var hasDebugInformation: Bool { data.withUnsafeBytes { section(named: ".debug_info", in: $0) } != nil }

    /// The debug information of the file itself; nil when there is none.
    ///
    /// Sections that are compressed with another method than zlib count as missing.
    var debugInformation: DebugInformation? {
        hasDebugInformation ? DebugInformation(DebugSections { content(ofSection: $0) }) : nil
    }

    private func section(named name: String, in bytes: UnsafeRawBufferPointer) -> Part? {
        sections.first { section in
            !section.range.isEmpty
                && bytes.text(at: Int(section.name), in: sectionNames, upTo: Self.longestName)?
                    .elementsEqual(name.utf8) == true
        }
    }

    /// The content of a section, decompressed; nil when there is no such section.
    private func content(ofSection name: String) -> ReadOnlyBytes? {
        data.withUnsafeBytes { bytes in
            guard let section = section(named: name, in: bytes) else { return nil }
            let content = UnsafeRawBufferPointer(rebasing: bytes[section.range])
            guard section.isCompressed else { return ReadOnlyBytes(part: content, of: data) }
            // The header has type (1 is zlib), 4 unused bytes, size and alignment.
            guard content.integer(at: 0) == UInt32(1), let size = content.offset(at: 8), size <= Self.largestSection,
                content.count > 24
            else { return nil }
            return Inflate.zlib(UnsafeRawBufferPointer(rebasing: content[24...]), size: size)
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

    /// Looks up global variables by name, exported or not. Returns their addresses in the file.
    func variables(named names: Set<String>) -> [String: UInt64] {
        let wanted = Set(names.map { Array($0.utf8) })
        let lengths = Set(wanted.map(\.count))
        let found = [SectionType.dynamicSymbols, SectionType.symbols].flatMap { table in
            symbols(in: table, of: Self.variable, onlyExported: false) {
                lengths.contains($0.count) && wanted.contains(Array($0))
            }
        }
        return Dictionary(found.map { ($0.name, $0.address) }) { _, last in last }
    }

    /// The functions whose name (UTF-8) satisfies a condition. Several object files can have a function with the same
    /// name.
    func functions(whereName isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol] {
        symbols(in: SectionType.symbols, of: Self.function, onlyExported: false, whereName: isWanted)
    }

    /// The table of all symbols, or else of the dynamic symbols; nil when the file has none.
    var symbolTable: Part? {
        let tables = [SectionType.symbols, SectionType.dynamicSymbols]
        return tables.lazy.compactMap { type in sections.first { $0.type == type } }.first
    }

    /// Whether the file has the symbol table that `strip` removes.
    var hasSymbols: Bool { sections.contains { $0.type == SectionType.symbols && !$0.range.isEmpty } }

    /// The functions at addresses of the file: at each address, the last function that begins there or before it,
    /// unless it ends before.
    ///
    /// Symbols without a size extend to the next symbol. Symbols without a type count as functions: they are written in
    /// assembly.
    ///
    /// - Parameter addresses: the addresses, in ascending order.
    /// - Returns: the function at each address; nil when there is none.
    func functions(at addresses: [UInt64]) -> [Symbol?] {
        guard let table = symbolTable else { return addresses.map { _ in nil } }
        let strings = strings(of: table)
        return data.withUnsafeBytes { bytes in
            // The best symbol between each address and the address before it.
            var best: [(address: UInt64, size: UInt64, name: UInt32)?] = addresses.map { _ in nil }
            for symbol in stride(from: table.range.lowerBound, to: table.range.upperBound - 23, by: 24) {
                let type = bytes[symbol + 4] & 0xF
                guard type == Self.function || type == Self.untyped || type == Self.indirectFunction,
                    let section: UInt16 = bytes.integer(at: symbol + 6), 1..<Self.reservedSections ~= section,
                    let name: UInt32 = bytes.integer(at: symbol), name != 0,
                    let address: UInt64 = bytes.integer(at: symbol + 8),
                    let size: UInt64 = bytes.integer(at: symbol + 16)
                else { continue }
                let next = addresses.partitioningIndex { $0 >= address }
                guard next < addresses.count else { continue }
                if let other = best[next], (other.address, other.size) > (address, size) { continue }
                best[next] = (address, size, name)
            }
            var last: (address: UInt64, size: UInt64, name: UInt32)?
            return zip(addresses, best).map { address, own in
                last = own ?? last
                guard let found = last, found.size == 0 || address < found.address &+ found.size,
                    let name = bytes.text(at: Int(found.name), in: strings, upTo: Self.longestSymbol), !name.isEmpty
                else { return nil }
                return Symbol(
                    name: String(decoding: name, as: UTF8.self), address: found.address, size: found.size)
            }
        }
    }

    private func strings(of section: Part) -> Range<Int> {
        section.link < sections.count ? sections[section.link].range : 0..<0
    }

    private func symbols(
        in section: UInt32, of type: UInt8, onlyExported: Bool, whereName isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> [Symbol] {
        // A file has at most one table of each type.
        guard let table = sections.first(where: { $0.type == section }) else { return [] }
        let strings = strings(of: table)
        var found: [Symbol] = []
        data.withUnsafeBytes { bytes in
            for symbol in stride(from: table.range.lowerBound, to: table.range.upperBound - 23, by: 24) {
                let information = bytes[symbol + 4]
                guard information & 0xF == type, !onlyExported || information >> 4 != 0,
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
