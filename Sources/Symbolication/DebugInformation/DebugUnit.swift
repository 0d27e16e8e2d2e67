/// A compilation unit of `.debug_info`.
final class DebugUnit {
    /// Names of attributes: `DW_AT_…`.
    enum Attribute {
        static let name: UInt16 = 0x03
        static let lines: UInt16 = 0x10
        static let low: UInt16 = 0x11
        static let high: UInt16 = 0x12
        static let folder: UInt16 = 0x1B
        static let origin: UInt16 = 0x31
        static let declarationFile: UInt16 = 0x3A
        static let declarationLine: UInt16 = 0x3B
        static let specification: UInt16 = 0x47
        static let ranges: UInt16 = 0x55
        static let callFile: UInt16 = 0x58
        static let callLine: UInt16 = 0x59
        static let linkageName: UInt16 = 0x6E
        static let textOffsets: UInt16 = 0x72
        static let addresses: UInt16 = 0x73
        static let rangeLists: UInt16 = 0x74
        static let oldLinkageName: UInt16 = 0x2007
        static let gnuAddresses: UInt16 = 0x2133
    }

    /// Types of units: `DW_UT_…`.
    private enum Kind {
        static let compilation: UInt8 = 1
        static let partial: UInt8 = 3
        static let skeleton: UInt8 = 4
        static let splitCompilation: UInt8 = 5
    }

    /// The attributes of the unit itself.
    struct Root {
        var low: UInt64 = 0
        var ranges: [Range<UInt64>] = []
        /// The offset of the line table; nil when there is none.
        var lines: UInt64?
        /// The folder in which the compiler ran.
        var folder: DebugText?
        /// Offsets of the unit's part of the sections with string offsets, addresses and range lists.
        var textOffsets: UInt64 = 0
        var addresses: UInt64 = 0
        var rangeLists: UInt64 = 0
    }

    let encoding: DebugEncoding
    /// The bytes of the unit, with its header.
    let range: Range<Int>
    /// The offset of the first entry.
    let firstEntry: Int
    let abbreviations: DebugAbbreviations
    fileprivate(set) var root = Root()

    /// The abbreviations of a file, each table read once.
    final class AbbreviationCache {
        private struct Key: Hashable {
            let offset: UInt64
            let encoding: DebugEncoding
        }
        private var tables: [Key: DebugAbbreviations] = [:]
        /// The most entries and attributes of all tables; a limit against hostile files.
        private var budget = 1 << 24

        func table(
            at offset: UInt64, _ encoding: DebugEncoding, in bytes: UnsafeRawBufferPointer
        ) -> DebugAbbreviations? {
            guard offset < UInt64(bytes.count) else { return nil }
            let key = Key(offset: offset, encoding: encoding)
            if let table = tables[key] { return table }
            let table = DebugAbbreviations(at: DebugCursor(bytes, at: Int(offset)), encoding, budget: &budget)
            tables[key] = table
            return table
        }
    }

    /// Reads the header of a unit.
    ///
    /// - Parameters:
    ///   - cursor: the position of the header. It is moved to the next unit, also when this one has no code.
    ///   - sections: the sections.
    ///   - cache: the abbreviations of the file.
    init?(at cursor: inout DebugCursor, in sections: DebugSections, _ cache: AbbreviationCache) {
        let begin = cursor.position
        let (length, offsetSize) = cursor.unitLength()
        guard cursor.isValid else { return nil }
        let bytes = cursor.bytes
        range = begin..<cursor.position + length
        var header = DebugCursor(bytes, at: cursor.position, end: range.upperBound)
        cursor.skip(UInt64(length))
        let version: UInt16 = header.read()
        guard 2...5 ~= version else { return nil }
        let offset: UInt64
        let addressSize: UInt8
        if version >= 5 {
            let kind: UInt8 = header.read()
            addressSize = header.read()
            offset = header.unsigned(size: offsetSize)
            switch kind {
            case Kind.compilation, Kind.partial: break
            case Kind.skeleton, Kind.splitCompilation: header.skip(8)
            default: return nil
            }
        } else {
            offset = header.unsigned(size: offsetSize)
            addressSize = header.read()
        }
        guard header.isValid, addressSize == 8 || addressSize == 4 else { return nil }
        encoding = DebugEncoding(version: version, addressSize: Int(addressSize), offsetSize: offsetSize)
        firstEntry = header.position
        guard let abbreviations = cache.table(at: offset, encoding, in: sections.abbreviations.bytes) else {
            return nil
        }
        self.abbreviations = abbreviations
        readRoot(in: sections)
    }

    private func readRoot(in sections: DebugSections) {
        var values: [(name: UInt16, value: DebugValue)] = []
        read(firstEntry, in: sections) { values.append(($0, $1)) }
        // The bases come first, because other attributes may refer to them.
        for (name, value) in values {
            switch name {
            case Attribute.textOffsets: root.textOffsets = value.number ?? 0
            case Attribute.addresses, Attribute.gnuAddresses: root.addresses = value.number ?? 0
            case Attribute.rangeLists: root.rangeLists = value.number ?? 0
            case Attribute.lines: root.lines = value.number
            case Attribute.folder: if case .text(let text) = value { root.folder = text }
            default: break
            }
        }
        for (name, value) in values where name == Attribute.low { root.low = sections.address(value, of: self) ?? 0 }
        root.ranges = ranges(
            low: values.last { $0.name == Attribute.low }?.value,
            high: values.last { $0.name == Attribute.high }?.value,
            list: values.last { $0.name == Attribute.ranges }?.value, in: sections)
    }

    /// Reads the attributes of an entry.
    ///
    /// - Parameters:
    ///   - entry: its offset.
    ///   - sections: the sections.
    ///   - body: called with each attribute's name and value.
    /// - Returns: the shape of the entry; nil when there is no entry.
    @discardableResult func read(
        _ entry: Int, in sections: DebugSections, _ body: (UInt16, DebugValue) -> Void
    ) -> DebugAbbreviations.Entry? {
        guard entry >= firstEntry, entry < range.upperBound else { return nil }
        var cursor = DebugCursor(sections.entries.bytes, at: entry, end: range.upperBound)
        guard let shape = abbreviations.entry(cursor.uleb()) else { return nil }
        for index in shape.attributes {
            let attribute = abbreviations.attributes[index]
            let value = DebugForm.value(attribute.form, constant: attribute.constant, encoding, at: &cursor)
            guard cursor.isValid else { return nil }
            body(attribute.name, value)
        }
        return shape
    }

    /// The most ranges of one entry; a limit against hostile files.
    private static let rangeLimit = 1 << 16

    /// The addresses of an entry.
    ///
    /// Ranges that begin at 0, or at the last addresses, belong to code that the linker removed.
    func ranges(
        low: DebugValue?, high: DebugValue?, list: DebugValue?, in sections: DebugSections
    ) -> [Range<UInt64>] {
        var found: [Range<UInt64>] = []
        func add(_ begin: UInt64, _ end: UInt64) {
            if begin > 0, begin < end, begin < .max - 1 { found.append(begin..<end) }
        }
        if let low = low.flatMap({ sections.address($0, of: self) }), let high {
            switch high {
            case .constant(let size): add(low, low &+ size)
            default: if let end = sections.address(high, of: self) { add(low, end) }
            }
            return found
        }
        switch list {
        case .offset(let offset), .constant(let offset):
            if encoding.version >= 5 {
                readList(at: offset, in: sections, add)
            } else {
                readOldList(at: offset, in: sections, add)
            }
        case .listIndex(let index):
            let size = encoding.offsetSize
            let bytes = sections.rangeLists.bytes
            if let offset = DebugSections.integer(bytes, base: root.rangeLists, index, size: size) {
                readList(at: root.rangeLists &+ offset, in: sections, add)
            }
        default: break
        }
        return found
    }

    /// Reads a range list of `.debug_ranges` (DWARF 4 and earlier).
    private func readOldList(at offset: UInt64, in sections: DebugSections, _ add: (UInt64, UInt64) -> Void) {
        guard offset < UInt64(sections.ranges.bytes.count) else { return }
        var cursor = DebugCursor(sections.ranges.bytes, at: Int(offset))
        let last: UInt64 = encoding.addressSize == 8 ? .max : UInt64(UInt32.max)
        var base = root.low
        for _ in 0..<Self.rangeLimit {
            let begin = cursor.unsigned(size: encoding.addressSize)
            let end = cursor.unsigned(size: encoding.addressSize)
            if !cursor.isValid || begin == 0 && end == 0 { return }
            if begin == last { base = end } else { add(base &+ begin, base &+ end) }
        }
    }

    /// Reads a range list of `.debug_rnglists`: `DW_RLE_…` of DWARF 5, section 7.25.
    private func readList(at offset: UInt64, in sections: DebugSections, _ add: (UInt64, UInt64) -> Void) {
        guard offset < UInt64(sections.rangeLists.bytes.count) else { return }
        var cursor = DebugCursor(sections.rangeLists.bytes, at: Int(offset))
        let size = encoding.addressSize
        var base = root.low
        func indexed(_ index: UInt64) -> UInt64 { sections.address(.addressIndex(index), of: self) ?? 0 }
        for _ in 0..<Self.rangeLimit where cursor.isValid {
            switch cursor.unsigned(size: 1) {
            case 1: base = indexed(cursor.uleb())
            case 2:
                let begin = indexed(cursor.uleb())
                add(begin, indexed(cursor.uleb()))
            case 3:
                let begin = indexed(cursor.uleb())
                add(begin, begin &+ cursor.uleb())
            case 4:
                let begin = base &+ cursor.uleb()
                add(begin, base &+ cursor.uleb())
            case 5: base = cursor.unsigned(size: size)
            case 6:
                let begin = cursor.unsigned(size: size)
                add(begin, cursor.unsigned(size: size))
            case 7:
                let begin = cursor.unsigned(size: size)
                add(begin, begin &+ cursor.uleb())
            default: return
            }
        }
    }
}
