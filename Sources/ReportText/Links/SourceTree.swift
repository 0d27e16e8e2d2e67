import FoundationEssentials

/// The files of a project. Maps the file names of a trace to paths in the project.
///
/// A trace has `Module/File.swift` (the form of `#fileID`) or the path on the machine that compiled the file.
/// Code-review tools require `Sources/Module/File.swift`.
public struct SourceTree: Sendable {
    private static let extensions: Set<String> = ["swift", "c", "cc", "cpp", "cxx", "m", "mm", "h", "hpp"]
    /// The most directory entries that are read. Projects have fewer, and the limit ends the search of a mistyped root
    /// such as `/`.
    private static let mostFiles = 200_000

    private let root: String
    /// Paths below the root, by file name.
    private let paths: [String: [String]]

    /// - Parameter root: the folder of the project. Entries whose names begin with a dot are skipped.
    public init(root: String) {
        let url = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL
        self.root = url.path.hasSuffix("/") ? url.path : url.path + "/"
        var paths: [String: [String]] = [:]
        var folders = [""]
        var count = 0
        while count < Self.mostFiles, let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: self.root + folder)) ?? []
            count += names.count
            for name in names where !name.hasPrefix(".") {
                if let dot = name.lastIndex(of: "."), Self.extensions.contains(String(name[dot...].dropFirst())) {
                    paths[name, default: []].append(folder + name)
                } else if Self.isFolder(self.root + folder + name) {
                    folders.append(folder + name + "/")
                }
            }
        }
        self.paths = paths
    }

    /// False for a symbolic link, which can lead back to a parent folder.
    private static func isFolder(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeDirectory
    }

    /// The absolute path of a file of the project.
    ///
    /// - Parameter path: the path below the root.
    func absolute(_ path: String) -> String { root + path }

    /// Finds a file in the project.
    ///
    /// - Parameter file: `Module/File.swift`, `File.swift`, or an absolute path.
    /// - Returns: the path below the root; nil when the project has no such file, or more than one candidate.
    public func path(of file: String) -> String? {
        if file.hasPrefix("/") {
            let path = URL(fileURLWithPath: file).standardizedFileURL.path
            if path.hasPrefix(root) { return String(path.dropFirst(root.count)) }
        }
        let parts = file.split(separator: "/").map(String.init)
        guard let name = parts.last, let candidates = paths[name] else { return nil }
        let ofModule = candidates.filter { path in
            parts.count == 2 && path.split(separator: "/").dropLast().contains { $0 == parts[0] }
        }
        if ofModule.count == 1 { return ofModule[0] }
        // The file was compiled elsewhere: compare the ends of the paths.
        let ofFolder = candidates.filter { file.hasSuffix("/" + $0) }
        if ofFolder.count == 1 { return ofFolder[0] }
        return ofModule.isEmpty && candidates.count == 1 ? candidates[0] : nil
    }
}
