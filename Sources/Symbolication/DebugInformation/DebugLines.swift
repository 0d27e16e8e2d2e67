/// A line table of `.debug_line`, DWARF versions 2 to 5.
struct DebugLines {
    private struct Row {
        let address: UInt64
        let file: UInt32
        let line: UInt32
    }

    /// Rows with ascending addresses.
    private struct Sequence {
        let low: UInt64
        let high: UInt64
        let rows: Range<Int>
    }

    private struct File {
        let name: DebugText
        let folder: UInt64
    }

    private var version: UInt16 = 0
    private var folders: [DebugText] = []
    private var files: [File] = []
    private var rows: [Row] = []
    /// Sorted by their end.
    private var sequences: [Sequence] = []
    private let sections: DebugSections

    /// The most rows; a limit against hostile files.
    private static let mostRows = 1 << 26

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - offset: its offset in `.debug_line`.
    ///   - sections: the sections.
    ///   - unit: the unit that has the table.
    init?(at offset: UInt64, in sections: DebugSections, of unit: DebugUnit) {
        self.sections = sections
        guard offset < UInt64(sections.lines.bytes.count) else { return nil }
        var cursor = DebugCursor(sections.lines.bytes, at: Int(offset))
        let (length, offsetSize) = cursor.unitLength()
        guard cursor.isValid else { return nil }
        cursor = DebugCursor(sections.lines.bytes, at: cursor.position, end: cursor.position + length)
        version = cursor.read()
        guard 2...5 ~= version else { return nil }
        var addressSize = unit.encoding.addressSize
        if version >= 5 {
            addressSize = Int(cursor.read(UInt8.self))
            cursor.skip(1)
        }
        let headerLength = cursor.unsigned(size: offsetSize)
        var program = cursor
        program.skip(headerLength)
        let instructionLength = cursor.unsigned(size: 1)
        if version >= 4 { cursor.skip(1) }
        cursor.skip(1)
        let lineBase: Int8 = cursor.read()
        let lineRange: UInt8 = cursor.read()
        let opcodeBase: UInt8 = cursor.read()
        let lengths = (0..<max(0, Int(opcodeBase) - 1)).map { _ in cursor.read(UInt8.self) }
        guard cursor.isValid, program.isValid else { return nil }
        let encoding = DebugEncoding(version: version, addressSize: addressSize, offsetSize: offsetSize)
        if version >= 5 { readTables(&cursor, encoding) } else { readOldTables(&cursor) }
        guard cursor.isValid else { return nil }
        run(
            &program, instructionLength: instructionLength, lineBase: Int64(lineBase), lineRange: UInt64(lineRange),
            opcodeBase: opcodeBase, lengths: lengths)
        sequences.sort { $0.high < $1.high }
    }

    // MARK: Files

    private mutating func readOldTables(_ cursor: inout DebugCursor) {
        func text() -> (place: DebugText, isEmpty: Bool) {
            let begin = cursor.position
            cursor.skipText()
            return (.here(begin), cursor.position == begin + 1)
        }
        while cursor.isValid {
            let (name, isEnd) = text()
            if isEnd { break }
            folders.append(name)
        }
        while cursor.isValid {
            let (name, isEnd) = text()
            if isEnd { break }
            let folder = cursor.uleb()
            cursor.skipLEB()
            cursor.skipLEB()
            files.append(File(name: name, folder: folder))
        }
    }

    private enum Content {
        static let path: UInt64 = 1
        static let folder: UInt64 = 2
    }

    private mutating func readTables(_ cursor: inout DebugCursor, _ encoding: DebugEncoding) {
        folders = Self.table(&cursor, encoding).map(\.name)
        files = Self.table(&cursor, encoding)
    }

    /// Reads the folders or the files of a table of DWARF 5. The table states which values each entry has.
    private static func table(_ cursor: inout DebugCursor, _ encoding: DebugEncoding) -> [File] {
        let formats = (0..<Int(cursor.read(UInt8.self))).map { _ in
            (content: cursor.uleb(), form: UInt16(truncatingIfNeeded: cursor.uleb()))
        }
        let count = cursor.uleb()
        // An entry has at least one byte.
        guard cursor.isValid, !formats.isEmpty, count <= UInt64(cursor.remaining) else {
            if count > 0 { cursor.fail() }
            return []
        }
        var entries: [File] = []
        for _ in 0..<count where cursor.isValid {
            var (name, folder): (DebugText, UInt64) = (.here(-1), 0)
            for (content, form) in formats {
                let value = DebugForm.value(form, constant: 0, encoding, at: &cursor)
                switch (content, value) {
                case (Content.path, .text(let text)): name = text
                case (Content.folder, .constant(let number)): folder = number
                default: break
                }
            }
            entries.append(File(name: name, folder: folder))
        }
        return entries
    }

    /// The path of a file.
    ///
    /// - Parameters:
    ///   - number: its number in the table: from 0 in DWARF 5, from 1 before.
    ///   - unit: the unit that has the table.
    /// - Returns: an absolute path, if the table or the unit has the folder; nil when there is no such file.
    func path(ofFile number: UInt64, in unit: DebugUnit) -> String? {
        let index = version >= 5 ? number : number &- 1
        guard index < UInt64(files.count), let name = text(files[Int(index)].name, of: unit) else { return nil }
        if name.hasPrefix("/") { return name }
        let entry = files[Int(index)].folder
        let folder = version >= 5 ? entry : entry &- 1
        let parent = folder < UInt64(folders.count) ? text(folders[Int(folder)], of: unit) ?? "" : ""
        // The first folder of DWARF 5 is the folder of the compilation.
        let isRelative = !parent.hasPrefix("/") && (version < 5 || entry != 0)
        let root = isRelative ? unit.root.folder.flatMap { sections.text($0, in: sections.entries, of: unit) } : nil
        return [root ?? "", parent, name].reduce("") { path, part in
            if part.isEmpty || path.isEmpty { return path + part }
            return path.hasSuffix("/") || part.hasPrefix("/") ? path + part : path + "/" + part
        }
    }

    private func text(_ text: DebugText, of unit: DebugUnit) -> String? {
        sections.text(text, in: sections.lines, of: unit)
    }

    // MARK: Rows

    /// Runs the line number program: DWARF 5, section 6.2.5.
    private mutating func run(
        _ program: inout DebugCursor, instructionLength: UInt64, lineBase: Int64, lineRange: UInt64, opcodeBase: UInt8,
        lengths: [UInt8]
    ) {
        var (address, file, line): (UInt64, UInt64, UInt64) = (0, 1, 1)
        var first = rows.count
        let constant = lineRange > 0 ? UInt64(255 &- opcodeBase) / lineRange &* instructionLength : 0
        func row() -> Row {
            Row(address: address, file: UInt32(truncatingIfNeeded: file), line: UInt32(truncatingIfNeeded: line))
        }
        while !program.isAtEnd, rows.count < Self.mostRows {
            let opcode = program.read(UInt8.self)
            if opcode >= opcodeBase {
                let adjusted = UInt64(opcode - opcodeBase)
                if lineRange > 0 {
                    address &+= adjusted / lineRange &* instructionLength
                    line &+= UInt64(bitPattern: lineBase &+ Int64(adjusted % lineRange))
                }
                rows.append(row())
                continue
            }
            switch opcode {
            case 0:
                let length = program.uleb()
                guard length > 0, length <= UInt64(program.remaining) else { return }
                var operands = DebugCursor(program.bytes, at: program.position, end: program.position + Int(length))
                program.skip(length)
                switch operands.read(UInt8.self) {
                case 1:
                    let low = first < rows.count ? rows[first].address : 0
                    // Code that the linker removed begins at 0.
                    if low > 0, low < address {
                        sequences.append(Sequence(low: low, high: address, rows: first..<rows.count))
                    } else {
                        rows.removeSubrange(first...)
                    }
                    first = rows.count
                    (address, file, line) = (0, 1, 1)
                case 2: address = operands.unsigned(size: operands.remaining)
                case 3:
                    let name = DebugText.here(operands.position)
                    operands.skipText()
                    files.append(File(name: name, folder: operands.uleb()))
                default: break
                }
            case 1: rows.append(row())
            case 2: address &+= program.uleb() &* instructionLength
            case 3: line &+= UInt64(bitPattern: program.sleb())
            case 4: file = program.uleb()
            case 5: program.skipLEB()
            case 6, 7, 10, 11: break
            case 8: address &+= constant
            case 9: address &+= program.unsigned(size: 2)
            case 12: program.skipLEB()
            default: for _ in 0..<lengths[Int(opcode) - 1] { program.skipLEB() }
            }
        }
    }

    /// The number of the file and the line at an address. The line is 0 in code that the compiler generated.
    func place(at address: UInt64) -> (file: UInt64, line: Int)? {
        let next = sequences.partitioningIndex { $0.high > address }
        guard next < sequences.count, sequences[next].low <= address else { return nil }
        let range = sequences[next].rows
        let after = rows[(range.lowerBound + 1)..<range.upperBound].partitioningIndex { $0.address > address }
        let row = rows[after - 1]
        return (UInt64(row.file), Int(row.line))
    }
}
