import DispatchModel
import Glibc

/// The file of an image, on this machine.
enum ImageFile {
    /// Why it tells nothing.
    enum Refusal: Hashable {
        /// No such file on this machine.
        case missing
        /// The file is not the one that was recorded.
        case otherBuild
    }

    /// Why the file cannot be looked into; nil when it can.
    static func refusal(of image: Image) -> Refusal? {
        guard isQuotable(image.path), isRegular(image.path), access(image.path, R_OK) == 0 else { return .missing }
        if image.buildID.isEmpty || ELFFile(path: image.path)?.buildID == image.buildID.lowercased() { return nil }
        return .otherBuild
    }

    /// `llvm-symbolizer` takes a longer line for two.
    private static let longestPath = 900

    /// Whether `llvm-symbolizer` can be told the path: without an escape in it.
    private static func isQuotable(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= longestPath
            && !path.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// A device or a pipe, which a trace may name as well, has no end.
    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
