import CKernel

/// Copies memory: of a running process, or out of a core file.
protocol MemorySource {
    /// Copies memory into a buffer.
    ///
    /// - Parameters:
    ///   - address: the first address.
    ///   - buffer: the destination.
    /// - Returns: the number of bytes that could be read, from the first one on; at most 0 when there is none.
    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// The memory of a process that runs.
struct RunningMemory: MemorySource {
    let pid: Int32

    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        return Int(qs_process_read(pid, address, start, buffer.count))
    }
}

/// Reads values in the memory of another process.
///
/// The content is untrusted: it changes between two reads while the process runs, and each address can be wrong. A read
/// of memory that does not exist returns nil or fewer bytes.
struct ProcessMemory {
    private let source: any MemorySource

    init(_ source: any MemorySource) { self.source = source }

    /// Addresses of programs are below this limit on x86-64 and aarch64.
    static let addressLimit: UInt64 = 1 << 52
    private static let pageSize: UInt64 = 4096

    /// Copies memory into a buffer.
    ///
    /// - Parameters:
    ///   - address: the first address.
    ///   - buffer: the destination.
    /// - Returns: the number of bytes that could be read.
    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard address < Self.addressLimit else { return 0 }
        return max(0, source.read(at: address, into: buffer))
    }

    /// The bytes at an address; fewer when a part cannot be read.
    func bytes(at address: UInt64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, size in
            size = read(at: address, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// The little-endian integer at an address; nil when it cannot be read.
    func integer<Value: FixedWidthInteger>(at address: UInt64, as type: Value.Type = Value.self) -> Value? {
        var value = Value.zero
        let count = withUnsafeMutableBytes(of: &value) { read(at: address, into: $0) }
        return count == MemoryLayout<Value>.size ? Value(littleEndian: value) : nil
    }

    /// The 64-bit word at an address; nil when it cannot be read.
    func word(at address: UInt64) -> UInt64? { integer(at: address) }

    /// Words that follow each other; nil unless all can be read.
    func words(at address: UInt64, count: Int) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: count)
        let size = words.withUnsafeMutableBytes { read(at: address, into: $0) }
        return size == count * 8 ? words : nil
    }

    /// The text of C at an address, in at most `longest` bytes; nil when it cannot be read or has no end.
    func text(at address: UInt64, longest: Int = 256) -> String? {
        guard address != 0 else { return nil }
        var content: [UInt8] = []
        var next = address
        // Page by page, because the page after the text may not exist.
        while content.count < longest {
            let rest = Int(Self.pageSize - next % Self.pageSize)
            let piece = bytes(at: next, count: min(rest, longest - content.count))
            if piece.isEmpty { return nil }
            if let end = piece.firstIndex(of: 0) {
                return String(decoding: content + piece[..<end], as: UTF8.self)
            }
            content += piece
            next += UInt64(piece.count)
        }
        return nil
    }
}
