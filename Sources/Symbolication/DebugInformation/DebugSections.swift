/// The sections of an ELF file with debug information. A missing section is empty.
struct DebugSections {
    /// Entries: `.debug_info`.
    let entries: ReadOnlyBytes
    let abbreviations: ReadOnlyBytes
    let lines: ReadOnlyBytes
    let texts: ReadOnlyBytes
    let lineTexts: ReadOnlyBytes
    let textOffsets: ReadOnlyBytes
    let addresses: ReadOnlyBytes
    /// Range lists of DWARF 4 and 5.
    let ranges: ReadOnlyBytes
    let rangeLists: ReadOnlyBytes

    /// - Parameter section: returns a section by its name.
    init(_ section: (String) -> ReadOnlyBytes?) {
        let empty = ReadOnlyBytes([])
        func named(_ name: String) -> ReadOnlyBytes { section(name) ?? empty }
        entries = named(".debug_info")
        abbreviations = named(".debug_abbrev")
        lines = named(".debug_line")
        texts = named(".debug_str")
        lineTexts = named(".debug_line_str")
        textOffsets = named(".debug_str_offsets")
        addresses = named(".debug_addr")
        ranges = named(".debug_ranges")
        rangeLists = named(".debug_rnglists")
    }

    /// The longest text that is read, in bytes. Mangled names of Swift can have some thousand.
    private static let longestText = 1 << 16

    /// The text that begins at an offset of a section; nil when it has no end.
    static func text(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> String? {
        guard offset < UInt64(bytes.count) else { return nil }
        let rest = bytes[Int(offset)..<min(bytes.count, Int(offset) + longestText)]
        return rest.firstIndex(of: 0).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }

    /// The text of a unit.
    ///
    /// - Parameters:
    ///   - text: its place.
    ///   - section: the section that has the attribute.
    ///   - unit: the unit with the string offsets; nil outside of a unit.
    func text(_ text: DebugText, in section: ReadOnlyBytes, of unit: DebugUnit?) -> String? {
        switch text {
        case .here(let offset): return Self.text(section.bytes, at: UInt64(max(0, offset)))
        case .text(let offset): return Self.text(texts.bytes, at: offset)
        case .lineText(let offset): return Self.text(lineTexts.bytes, at: offset)
        case .index(let index):
            guard let unit else { return nil }
            let size = unit.encoding.offsetSize
            guard let offset = Self.integer(textOffsets.bytes, base: unit.root.textOffsets, index, size: size) else {
                return nil
            }
            return Self.text(texts.bytes, at: offset)
        }
    }

    /// The address that a value of a unit represents; nil when it represents none.
    func address(_ value: DebugValue, of unit: DebugUnit) -> UInt64? {
        switch value {
        case .address(let address): return address
        case .addressIndex(let index):
            let size = unit.encoding.addressSize
            return Self.integer(addresses.bytes, base: unit.root.addresses, index, size: size)
        default: return nil
        }
    }

    /// The integer with a number in an array.
    static func integer(_ bytes: UnsafeRawBufferPointer, base: UInt64, _ index: UInt64, size: Int) -> UInt64? {
        let (product, overflow) = index.multipliedReportingOverflow(by: UInt64(size))
        let (offset, isOutside) = base.addingReportingOverflow(product)
        guard !overflow, !isOutside, offset <= UInt64(bytes.count) else { return nil }
        var cursor = DebugCursor(bytes, at: Int(offset))
        let value = cursor.unsigned(size: size)
        return cursor.isValid ? value : nil
    }
}
