import Glibc

/// Reads files of `/proc` and `/sys`.
///
/// Foundation stops at the first incomplete read of a file without a size, which is the first 4 KB of most files here.
package enum ProcFile {
    /// A limit for endless or hostile content. The mappings of a large process have some 10 MB.
    private static let largest = 1 << 28

    /// The content of a file; nil when it cannot be read.
    package static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The content of a file; nil when it cannot be read.
    package static func bytes(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while content.count < largest {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            content += piece[..<count]
        }
        return content
    }

    /// The target of a symbolic link; nil when it cannot be read.
    package static func link(_ path: String) -> String? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { buffer in
            readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
    }

    /// The names in a directory that are numbers, in ascending order.
    package static func numbers(in path: String) -> [Int32] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// The value of a field such as `TracerPid:` in a status file.
    package static func field(_ name: String, of status: String) -> Substring? {
        for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.dropFirst(name.utf8.count + 1).drop { $0 == " " || $0 == "\t" }
        }
        return nil
    }
}
