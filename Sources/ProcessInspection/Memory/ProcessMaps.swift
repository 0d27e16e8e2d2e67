import CTFReader

/// A range of the address space of a process with one kind of content.
struct Mapping: Equatable {
    let range: Range<UInt64>
    let isReadable: Bool
    let isWritable: Bool
    let isExecutable: Bool
    /// Offset in the file of the first byte.
    let offset: UInt64
    /// The path of the file in the file system of the process, a name such as `[heap]`, or empty.
    let path: String
    /// Whether the file was removed or replaced after it was mapped.
    let isDeleted: Bool

    /// Whether it is a part of a file, which can be an executable or a library.
    var isFile: Bool { path.hasPrefix("/") }
}

/// The address space of a process, as `/proc/PID/maps` lists it.
struct ProcessMaps {
    /// In the order of their addresses.
    let mappings: [Mapping]

    /// Mappings in any order.
    init(_ mappings: [Mapping]) {
        self.mappings = mappings.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static let deletedMark = " (deleted)"

    /// Reads the lines of a maps file. Damaged lines are ignored.
    ///
    /// A line is `begin-end rights offset device inode      path`, with numbers in hexadecimal.
    init(_ text: String) {
        self.init(text.split(separator: "\n").compactMap(Self.mapping))
    }

    private static func mapping(_ line: Substring) -> Mapping? {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count >= 5 else { return nil }
        let ends = fields[0].split(separator: "-")
        let rights = Array(fields[1].utf8)
        guard ends.count == 2, let begin = UInt64(ends[0], radix: 16), let end = UInt64(ends[1], radix: 16),
            begin < end, let offset = UInt64(fields[2], radix: 16), rights.count >= 3
        else { return nil }
        var path = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
        let isDeleted = path.hasSuffix(deletedMark)
        if isDeleted { path.removeLast(deletedMark.utf8.count) }
        return Mapping(
            range: begin..<end, isReadable: rights[0] == UInt8(ascii: "r"), isWritable: rights[1] == UInt8(ascii: "w"),
            isExecutable: rights[2] == UInt8(ascii: "x"), offset: offset, path: path, isDeleted: isDeleted)
    }

    /// The mapping that contains an address; nil when there is none.
    func mapping(holding address: UInt64) -> Mapping? {
        let next = mappings.partitioningIndex { $0.range.lowerBound > address }
        return next > 0 && mappings[next - 1].range.contains(address) ? mappings[next - 1] : nil
    }

    /// Whether data at an address can be changed: the heap, a stack, or global variables.
    func isWritable(_ address: UInt64) -> Bool { mapping(holding: address)?.isWritable ?? false }

    /// Whether an address can be the address of an instruction.
    func isCode(_ address: UInt64) -> Bool { mapping(holding: address)?.isExecutable ?? false }
}
