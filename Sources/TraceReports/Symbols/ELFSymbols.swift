import FoundationEssentials

/// The symbol table of an ELF file: where a function of a known name is.
struct ELFSymbols {
    struct Symbol {
        /// As in the file: mangled.
        let name: String
        /// Address in the file.
        let address: UInt64
        let size: UInt64
    }

    /// Larger files are left alone: one symbol's place is not worth reading them.
    private static let largestFile = 4 << 30
    /// Longer names are no function's that anybody looks for.
    private static let longestName = 4096
    /// A linker puts no function twice: who has more symbols than this has something else in mind.
    private static let symbolLimit = 1 << 22

    /// The functions of these names, those that the file has.
    static func functions(named names: Set<String>, inFileAt path: String) -> [String: Symbol] {
        let wanted = Set(names.map { Array($0.utf8) })
        let lengths = Set(wanted.map(\.count))
        let found = functions(inFileAt: path) { lengths.contains($0.count) && wanted.contains(Array($0)) }
        return Dictionary(found.map { ($0.name, $0) }) { _, last in last }
    }

    /// The functions with names, in UTF-8, that are wanted. Several object files may have one of the same name.
    ///
    /// Any file is accepted, whatever is wrong with it; it must not be written to meanwhile.
    static func functions(
        inFileAt path: String, whereName isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> [Symbol] {
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
            file.count <= largestFile
        else { return [] }
        return file.withUnsafeBytes { bytes in
            ELFSymbols(bytes: bytes).functions(whereName: isWanted)
        }
    }

    private let bytes: UnsafeRawBufferPointer

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private func functions(whereName isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol] {
        guard bytes.count >= 64, bytes[0] == 0x7F, bytes[1] == 0x45, bytes[2] == 0x4C, bytes[3] == 0x46, bytes[4] == 2
        else { return [] }
        let table = integer(at: 40, bytes: 8)
        let entrySize = integer(at: 58, bytes: 2)
        let entryCount = integer(at: 60, bytes: 2)
        guard entrySize >= 64 else { return [] }
        for number in 0..<entryCount {
            let section = table &+ number * entrySize
            // SHT_SYMTAB
            guard integer(at: section &+ 4, bytes: 4) == 2 else { continue }
            let strings = table &+ integer(at: section &+ 40, bytes: 4) * entrySize
            // A file has one.
            return symbols(
                whereName: isWanted, at: integer(at: section &+ 24, bytes: 8),
                size: integer(at: section &+ 32, bytes: 8), stringsAt: integer(at: strings &+ 24, bytes: 8),
                stringsSize: integer(at: strings &+ 32, bytes: 8))
        }
        return []
    }

    private func symbols(
        whereName isWanted: (UnsafeRawBufferPointer) -> Bool, at begin: UInt64, size: UInt64,
        stringsAt strings: UInt64, stringsSize: UInt64
    ) -> [Symbol] {
        let length = UInt64(bytes.count)
        guard begin <= length, size <= length - begin, strings <= length, stringsSize <= length - strings else {
            return []
        }
        var found: [Symbol] = []
        for symbol in stride(from: begin, to: begin + size - size % 24, by: 24) {
            // STT_FUNC
            guard bytes[Int(symbol) + 4] & 0xF == 2 else { continue }
            let name = integer(at: symbol, bytes: 4)
            guard name < stringsSize else { continue }
            let last = min(strings + stringsSize, strings + name + UInt64(Self.longestName))
            let text = UnsafeRawBufferPointer(rebasing: bytes[Int(strings + name)..<Int(last)])
            guard let end = text.firstIndex(of: 0), isWanted(UnsafeRawBufferPointer(rebasing: text[..<end])) else {
                continue
            }
            found.append(
                Symbol(
                    name: String(decoding: text[..<end], as: UTF8.self), address: integer(at: symbol + 8, bytes: 8),
                    size: integer(at: symbol + 16, bytes: 8)))
            if found.count >= Self.symbolLimit { break }
        }
        return found
    }

    /// Little-endian; 0 outside of the file.
    private func integer(at offset: UInt64, bytes count: Int) -> UInt64 {
        guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset) else { return 0 }
        var value: UInt64 = 0
        for position in (0..<count).reversed() { value = value << 8 | UInt64(bytes[Int(offset) + position]) }
        return value
    }
}
