import DispatchModel
import Glibc

/// The file of an image on this machine.
enum ImageFile {
    /// The reason why a file cannot be used.
    enum Refusal: Hashable {
        /// No such file on this machine.
        case missing
        /// The file has another build id than the recorded file.
        case otherBuild
    }

    /// The reason why the file cannot be used; nil when it can be used.
    static func refusal(of image: Image) -> Refusal? {
        guard isQuotable(image.path), isRegular(image.path), access(image.path, R_OK) == 0 else { return .missing }
        if image.buildID.isEmpty || ELFFile(path: image.path)?.buildID == image.buildID.lowercased() { return nil }
        return .otherBuild
    }

    /// The longest path in bytes. `llvm-symbolizer` splits longer lines into two.
    private static let longestPath = 900

    /// Whether the path can be passed to `llvm-symbolizer`, which has no escapes in paths.
    private static func isQuotable(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= longestPath
            && !path.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// Whether the path is a regular file. A trace can also name a device or a pipe, whose contents have no end.
    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
