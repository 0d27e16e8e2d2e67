import FoundationEssentials

/// What an ELF file says about how it is linked: 64-bit and little-endian, which is all that Queuescope runs on.
struct ELFFile {
    /// The processor architecture, `e_machine`.
    let machine: UInt16
    /// Whether the dynamic linker starts it; only then can anything be preloaded.
    let hasInterpreter: Bool
    /// The sonames of the libraries that it asks for itself.
    let neededLibraries: [String]
    /// The functions that other files of the process see.
    let exportedFunctions: Set<String>

    private enum SegmentType: UInt32 {
        case interpreter = 3
    }

    private enum SectionType: UInt32 {
        case dynamic = 6
        case dynamicSymbols = 11
    }

    /// The dynamic section's tag for the name of a library.
    private static let needed: UInt64 = 1
    /// A symbol's type, in the lower half of its `st_info`; the upper half is its binding, 0 for what other files do not see.
    private static let function: UInt8 = 2

    /// Reads the headers, the dynamic section and the dynamic symbols; nil when the bytes are no such ELF file.
    ///
    /// A file that is cut short reads as one that has less in it.
    init?(_ bytes: Data) {
        let bytes = Bytes(bytes)
        guard bytes.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
            let machine: UInt16 = bytes.load(18)
        else { return nil }
        self.machine = machine
        hasInterpreter = bytes.table(offset: 32, entrySize: 54, count: 56).contains { segment in
            bytes.load(segment).flatMap(SegmentType.init(rawValue:)) == .interpreter
        }
        var neededLibraries: [String] = []
        var exportedFunctions: Set<String> = []
        let sections = bytes.table(offset: 40, entrySize: 58, count: 60)
        for section in sections {
            guard let type = bytes.load(section + 4).flatMap(SectionType.init(rawValue:)),
                let begin = bytes.loadOffset(section + 24), let size = bytes.loadOffset(section + 32),
                let link: UInt32 = bytes.load(section + 40), Int(link) < sections.count,
                let strings = bytes.loadOffset(sections[Int(link)] + 24),
                let end = bytes.end(of: begin, size: size)
            else { continue }
            switch type {
            case .dynamic:
                for entry in stride(from: begin, to: end, by: 16) where bytes.load(entry) == Self.needed {
                    bytes.string(strings, plus: bytes.loadOffset(entry + 8)).map { neededLibraries.append($0) }
                }
            case .dynamicSymbols:
                for symbol in stride(from: begin, to: end, by: 24) {
                    guard let name: UInt32 = bytes.load(symbol), let information: UInt8 = bytes.load(symbol + 4),
                        let definingSection: UInt16 = bytes.load(symbol + 6), definingSection != 0,
                        information & 0xF == Self.function, information >> 4 != 0
                    else { continue }
                    bytes.string(strings, plus: Int(name)).map { _ = exportedFunctions.insert($0) }
                }
            }
        }
        self.neededLibraries = neededLibraries
        self.exportedFunctions = exportedFunctions
    }

    /// Reads at offsets that the file itself gives, so every one of them may be wrong.
    private struct Bytes {
        let data: Data

        init(_ data: Data) { self.data = data }

        func starts(with bytes: [UInt8]) -> Bool { data.starts(with: bytes) }

        func load<Value: FixedWidthInteger>(_ offset: Int) -> Value? {
            guard end(of: offset, size: MemoryLayout<Value>.size) != nil else { return nil }
            let value = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
            return Value(littleEndian: value)
        }

        /// A 64-bit offset or size.
        func loadOffset(_ offset: Int) -> Int? {
            let value: UInt64? = load(offset)
            return value.flatMap { Int(exactly: $0) }
        }

        /// Where `size` bytes from `offset` end, when they lie in the file.
        func end(of offset: Int, size: Int) -> Int? {
            let (end, overflow) = offset.addingReportingOverflow(size)
            return offset >= 0 && size >= 0 && !overflow && end <= data.count ? end : nil
        }

        /// The offsets of the entries of a header table, whose own place, entry size and count are given at three offsets.
        func table(offset: Int, entrySize: Int, count: Int) -> [Int] {
            guard let begin = loadOffset(offset), let step: UInt16 = load(entrySize), let entries: UInt16 = load(count),
                step > 0, end(of: begin, size: Int(step) * Int(entries)) != nil
            else { return [] }
            return (0..<Int(entries)).map { begin + $0 * Int(step) }
        }

        /// The string that ends with a zero byte.
        func string(_ strings: Int, plus offset: Int?) -> String? {
            guard let offset, let begin = end(of: strings, size: offset) else { return nil }
            return String(bytes: data[begin...].prefix { $0 != 0 }, encoding: .utf8)
        }
    }
}
