/// Values of the ELF format. A value that is outside of the bytes is missing.
extension UnsafeRawBufferPointer {
    /// The type of the note with the build id, and its owner.
    private static let buildIDNote: UInt32 = 3
    private static let gnu = Array("GNU\0".utf8)

    /// The little-endian integer at an offset; nil outside of the file.
    func integer<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        return Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The 64-bit offset or size at a position.
    func offset(at position: Int) -> Int? {
        let value: UInt64? = integer(at: position)
        return value.flatMap { Int(exactly: $0) }
    }

    /// The range whose begin and size are stored at two positions. Empty when the range is not inside of the file.
    func range(at begin: Int, size: Int) -> Range<Int> {
        guard let begin = offset(at: begin), let size = offset(at: size), begin >= 0, begin <= count, size >= 0,
            size <= count - begin
        else { return 0..<0 }
        return begin..<begin + size
    }

    /// The offsets of the entries of a header table. Its offset, entry size and entry count are stored at three
    /// positions.
    func table(offset: Int, entrySize: Int, count entries: Int) -> [Int] {
        guard let begin = self.offset(at: offset), let step: UInt16 = integer(at: entrySize),
            let entries: UInt16 = integer(at: entries), step > 0, begin >= 0, begin <= count,
            Int(step) * Int(entries) <= count - begin
        else { return [] }
        return (0..<Int(entries)).map { begin + $0 * Int(step) }
    }

    /// The text in a string table up to its zero byte; nil when there is no zero byte within `longest` bytes.
    func text(at offset: Int, in strings: Range<Int>, upTo longest: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, offset < strings.count else { return nil }
        let begin = strings.lowerBound + offset
        let rest = self[begin..<Swift.min(strings.upperBound, begin + longest)]
        return rest.firstIndex(of: 0).map { UnsafeRawBufferPointer(rebasing: self[begin..<$0]) }
    }

    /// Notes consist of name size, description size, type, name and description. Name and description are padded to 4
    /// bytes.
    func buildID(inNotes notes: Range<Int>) -> String? {
        var position = notes.lowerBound
        while position <= notes.upperBound - 12, let nameSize: UInt32 = integer(at: position),
            let size: UInt32 = integer(at: position + 4), let type: UInt32 = integer(at: position + 8)
        {
            let name = position + 12
            let description = name + (Int(nameSize) + 3) & ~3
            guard description + Int(size) <= notes.upperBound else { return nil }
            if type == Self.buildIDNote, self[name..<name + Int(nameSize)].elementsEqual(Self.gnu) {
                return self[description..<description + Int(size)].map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            }
            position = description + (Int(size) + 3) & ~3
        }
        return nil
    }
}
