/// The shapes of the entries of a unit: a table of `.debug_abbrev`.
final class DebugAbbreviations {
    struct Attribute {
        /// `DW_AT_…`.
        let name: UInt16
        /// `DW_FORM_…`.
        let form: UInt16
        /// The value of the form `DW_FORM_implicit_const`.
        let constant: Int64
    }

    struct Entry {
        /// `DW_TAG_…`.
        let tag: UInt16
        let hasChildren: Bool
        let attributes: Range<Int>
        /// The number of bytes of all attributes; -1 when it varies.
        let size: Int
    }

    let attributes: [Attribute]
    /// The entries of the codes 1, 2, 3, …, as compilers number them.
    private let dense: [Entry]
    private let sparse: [UInt64: Entry]

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - cursor: the position of the table in `.debug_abbrev`.
    ///   - encoding: the encoding of the unit, which determines the sizes.
    ///   - budget: the most attributes and entries that are read. It is reduced by their number.
    init(at cursor: DebugCursor, _ encoding: DebugEncoding, budget: inout Int) {
        var cursor = cursor
        var attributes: [Attribute] = []
        var dense: [Entry] = []
        var sparse: [UInt64: Entry] = [:]
        while !cursor.isAtEnd, budget > 0 {
            let code = cursor.uleb()
            if code == 0 { break }
            let tag = UInt16(truncatingIfNeeded: cursor.uleb())
            let hasChildren = cursor.unsigned(size: 1) != 0
            let first = attributes.count
            var size = 0
            budget -= 1
            while cursor.isValid, budget > 0 {
                let name = UInt16(truncatingIfNeeded: cursor.uleb())
                let form = UInt16(truncatingIfNeeded: cursor.uleb())
                let constant = form == DebugForm.implicitConstant ? cursor.sleb() : 0
                if name == 0, form == 0 { break }
                attributes.append(Attribute(name: name, form: form, constant: constant))
                if size >= 0 { size = DebugForm.size(form, encoding).map { [size] in size + $0 } ?? -1 }
                budget -= 1
            }
            guard cursor.isValid else { break }
            let entry = Entry(tag: tag, hasChildren: hasChildren, attributes: first..<attributes.count, size: size)
            if code == UInt64(dense.count + 1) { dense.append(entry) } else { sparse[code] = entry }
        }
        self.attributes = attributes
        self.dense = dense
        self.sparse = sparse
    }

    /// The entry with a code other than 0; nil when the table has none.
    func entry(_ code: UInt64) -> Entry? {
        code <= UInt64(dense.count) && code > 0 ? dense[Int(code) - 1] : sparse[code]
    }
}
