import CKernel

/// Unused bytes in the code of a process: the zeroes between the end of a library's code and the end of its last page.
///
/// Code in such bytes needs no new executable mapping, which systemd's `MemoryDenyWriteExecute` and SELinux forbid.
struct LoaderRoom {
    let range: Range<UInt64>

    private static let pageSize: UInt64 = 4096
    private static let alignment: UInt64 = 16
    /// Zeroes that stay free before the loader, because the last function of the library may end with some.
    private static let distance: UInt64 = 64

    /// Finds room.
    ///
    /// - Parameters:
    ///   - size: the needed bytes.
    ///   - images: the libraries, in the order of preference.
    ///   - process: the process.
    /// - Returns: the room; nil when no library has enough. Bytes of another loader that still runs are not free.
    static func find(_ size: Int, in images: [ProcessImages.Loaded], of process: RunningProcess) -> LoaderRoom? {
        let memory = ProcessMemory(process)
        let needed = (UInt64(size) + alignment - 1) / alignment * alignment
        for loaded in images {
            let range = loaded.image.begin..<loaded.image.end
            for mapping in process.maps.mappings
            where mapping.isExecutable && range.contains(mapping.range.lowerBound) {
                let last = memory.bytes(at: mapping.range.upperBound - pageSize, count: Int(pageSize))
                let zeroes = UInt64(last.reversed().prefix { $0 == 0 }.count)
                guard last.count == Int(pageSize), zeroes >= needed + distance else { continue }
                return LoaderRoom(range: mapping.range.upperBound - needed..<mapping.range.upperBound)
            }
        }
        return nil
    }

    /// Whether all bytes are still unused.
    func isFree(in memory: ProcessMemory) -> Bool {
        let bytes = memory.bytes(at: range.lowerBound, count: range.count)
        return bytes.count == range.count && bytes.allSatisfy { $0 == 0 }
    }

    /// Removes the loader. A kernel that permits writes to code only to debuggers refuses, and the bytes stay unused.
    func clear(in pid: Int32) {
        let zeroes = [UInt8](repeating: 0, count: range.count)
        _ = qs_process_write(pid, range.lowerBound, zeroes, zeroes.count)
    }
}
