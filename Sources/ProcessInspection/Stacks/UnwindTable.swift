import CTFReader
import FoundationEssentials
import Symbolication

/// The unwind tables of one image, read from the memory of the process.
///
/// The dynamic linker maps `.eh_frame_hdr` and `.eh_frame` with the code. Tables of removed files and of the kernel's
/// own code (`[vdso]`) are therefore readable too. The content is untrusted.
final class UnwindTable {
    /// An entry of the tables for one function.
    struct Function {
        let begin: UInt64
        let end: UInt64
        /// The bytes of the entry and of its common information entry.
        let entry: [UInt8]
        let instructions: Range<Int>
        let common: Common
    }

    /// A common information entry.
    struct Common {
        let bytes: [UInt8]
        let instructions: Range<Int>
        let factors: CallFrameRules.Factors
        /// The column of the return address.
        let returnAddress: Int
        let pointerEncoding: UInt8
        let hasAugmentation: Bool
        /// The frame of a signal handler's caller, which was interrupted at the exact address.
        let isSignalFrame: Bool
    }

    /// The largest entry that is read. An entry has some ten to some thousand bytes.
    private static let largestEntry = 1 << 16
    /// The most functions in the index of one image.
    private static let mostFunctions = 1 << 23

    private let memory: ProcessMemory
    /// The begin of each function in ascending order, and the address of its entry.
    private let index: [(begin: UInt64, entry: UInt64)]
    private var commons: [UInt64: Common?] = [:]
    private var functions: [UInt64: Function?] = [:]

    /// Reads the index; nil when the image has none.
    init?(of image: ProcessImages.Loaded, memory: ProcessMemory) {
        let head = Data(memory.bytes(at: image.begin, count: 4096))
        guard let (offset, size) = ProgramHeaders(head)?.unwindIndex, size <= 1 << 27 else { return nil }
        let address = image.image.base &+ offset
        let bytes = memory.bytes(at: address, count: Int(size))
        self.memory = memory
        index = bytes.withUnsafeBytes { Self.index($0, at: address) }
        if index.isEmpty { return nil }
    }

    /// Reads a header of version 1 whose table has 32-bit offsets from its begin, the only kind that linkers write.
    private static func index(_ bytes: UnsafeRawBufferPointer, at address: UInt64) -> [(UInt64, UInt64)] {
        var cursor = DebugCursor(bytes)
        guard cursor.read(UInt8.self) == 1 else { return [] }
        let (pointer, counter, table) = (cursor.read(UInt8.self), cursor.read(UInt8.self), cursor.read(UInt8.self))
        guard table == 0x3B, encoded(pointer, &cursor, at: address) != nil,
            let count = encoded(counter, &cursor, at: address), count <= mostFunctions
        else { return [] }
        var index: [(UInt64, UInt64)] = []
        index.reserveCapacity(min(Int(count), cursor.remaining / 8))
        for _ in 0..<Int(count) {
            let begin = Int64(cursor.read(Int32.self))
            let entry = Int64(cursor.read(Int32.self))
            guard cursor.isValid else { break }
            index.append((address &+ UInt64(bitPattern: begin), address &+ UInt64(bitPattern: entry)))
        }
        return index
    }

    /// Reads a pointer of the tables.
    ///
    /// - Parameters:
    ///   - encoding: the format in the low four bits, the base in the next three.
    ///   - cursor: at the pointer.
    ///   - address: the address of the first byte of the cursor.
    /// - Returns: nil for a format that is not used, and for an omitted pointer.
    private static func encoded(_ encoding: UInt8, _ cursor: inout DebugCursor, at address: UInt64) -> UInt64? {
        let place = address &+ UInt64(cursor.position)
        let value: UInt64
        switch encoding & 0x0F {
        case 0x00, 0x04, 0x0C: value = cursor.read(UInt64.self)
        case 0x01: value = cursor.uleb()
        case 0x02: value = UInt64(cursor.read(UInt16.self))
        case 0x03: value = UInt64(cursor.read(UInt32.self))
        case 0x09: value = UInt64(bitPattern: cursor.sleb())
        case 0x0A: value = UInt64(bitPattern: Int64(cursor.read(Int16.self)))
        case 0x0B: value = UInt64(bitPattern: Int64(cursor.read(Int32.self)))
        default: return nil
        }
        guard encoding != 0xFF, cursor.isValid else { return nil }
        switch encoding & 0x70 {
        case 0x00: return value
        case 0x10: return place &+ value
        case 0x30: return address &+ value
        default: return nil
        }
    }

    /// The entry of the function that contains an address; nil when there is none.
    func function(at address: UInt64) -> Function? {
        let next = index.partitioningIndex { $0.begin > address }
        guard next > 0 else { return nil }
        let place = index[next - 1].entry
        let found = functions[place] ?? read(place)
        functions[place] = .some(found)
        guard let found, found.begin <= address, address < found.end else { return nil }
        return found
    }

    /// Reads the length and the bytes of an entry; nil when it is damaged.
    private func entry(at address: UInt64) -> [UInt8]? {
        guard let length = memory.integer(at: address, as: UInt32.self), length > 4, length < Self.largestEntry else {
            return nil
        }
        let bytes = memory.bytes(at: address &+ 4, count: Int(length))
        return bytes.count == Int(length) ? bytes : nil
    }

    private func read(_ place: UInt64) -> Function? {
        guard let entry = entry(at: place) else { return nil }
        let start = place &+ 4
        return entry.withUnsafeBytes { bytes in
            var cursor = DebugCursor(bytes)
            let distance = cursor.read(UInt32.self)
            guard distance != 0, let common = common(at: start &- UInt64(distance)),
                let begin = Self.encoded(common.pointerEncoding, &cursor, at: start),
                let size = Self.encoded(common.pointerEncoding & 0x0F, &cursor, at: start), size < 1 << 32
            else { return nil }
            if common.hasAugmentation { cursor.skip(cursor.uleb()) }
            guard cursor.isValid else { return nil }
            return Function(
                begin: begin, end: begin &+ size, entry: entry, instructions: cursor.position..<entry.count,
                common: common)
        }
    }

    private func common(at place: UInt64) -> Common? {
        if let known = commons[place] { return known }
        let read = entry(at: place).flatMap { Self.common($0, at: place &+ 4) }
        commons[place] = .some(read)
        return read
    }

    private static func common(_ entry: [UInt8], at start: UInt64) -> Common? {
        entry.withUnsafeBytes { bytes in
            var cursor = DebugCursor(bytes)
            guard cursor.read(UInt32.self) == 0 else { return nil }
            _ = cursor.read(UInt8.self)
            var augmentation: [UInt8] = []
            while !cursor.isAtEnd {
                let byte = cursor.read(UInt8.self)
                if byte == 0 { break }
                augmentation.append(byte)
            }
            let factors = CallFrameRules.Factors(code: cursor.uleb(), data: cursor.sleb())
            let returnAddress = Int(truncatingIfNeeded: cursor.uleb() & 0xFFFF)
            var encoding: UInt8 = 0
            var end = cursor.position
            if augmentation.first == UInt8(ascii: "z") {
                let size = cursor.uleb()
                guard size <= UInt64(cursor.remaining) else { return nil }
                end = cursor.position + Int(size)
                for letter in augmentation.dropFirst() {
                    switch letter {
                    case UInt8(ascii: "R"): encoding = cursor.read(UInt8.self)
                    case UInt8(ascii: "L"): _ = cursor.read(UInt8.self)
                    case UInt8(ascii: "P"):
                        let format = cursor.read(UInt8.self)
                        guard encoded(format & 0x7F, &cursor, at: start) != nil else { return nil }
                    default: break
                    }
                }
            }
            guard cursor.isValid, end <= entry.count else { return nil }
            return Common(
                bytes: entry, instructions: end..<entry.count, factors: factors, returnAddress: returnAddress,
                pointerEncoding: encoding, hasAugmentation: augmentation.first == UInt8(ascii: "z"),
                isSignalFrame: augmentation.contains(UInt8(ascii: "S")))
        }
    }
}
