import Glibc

/// The index that LTTng writes next to a trace: for a data stream file `X` the file `index/X.idx` with one entry per
/// packet.
///
/// The file has a header of four numbers (magic, major version, minor version, bytes of an entry) and the entries, all
/// big-endian.
public enum LTTngIndex {
    private static let magic: UInt32 = 0xC1F1_DCC1
    private static let headerSize = 16

    /// Finds data stream files that have packets in the index and do not exist.
    ///
    /// - Parameter path: the directory of the trace.
    /// - Returns: the names of the files and their numbers of packets; empty for a trace without an index.
    /// - Complexity: O(files).
    public static func missingFiles(in path: String) -> [(name: String, packets: Int)] {
        let suffix = ".idx"
        return (TraceDirectory.names(in: "\(path)/index") ?? []).compactMap { index in
            guard index.hasSuffix(suffix) else { return nil }
            let name = String(index.dropLast(suffix.count))
            guard access("\(path)/\(name)", F_OK) != 0, errno == ENOENT,
                let packets = packets(inIndex: "\(path)/index/\(index)"), packets > 0
            else { return nil }
            return (name, packets)
        }
    }

    /// The number of packets in an index file; nil when the file is not an index.
    private static func packets(inIndex path: String) -> Int? {
        guard let file = try? MappedFile(path: path, name: path), file.count >= headerSize else { return nil }
        func word(_ offset: Int) -> UInt32 {
            UInt32(bigEndian: file.bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let entrySize = Int(word(12))
        guard word(0) == magic, entrySize > 0 else { return nil }
        return (file.count - headerSize) / entrySize
    }
}
