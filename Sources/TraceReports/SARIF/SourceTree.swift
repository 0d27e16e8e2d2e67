import FoundationEssentials

/// The files of a project: turns what a trace calls a file into its path in the project.
///
/// A trace has `Module/File.swift`, as `#fileID` gives it, or the path on the machine that compiled it; code-review
/// tools want `Sources/Module/File.swift`.
public struct SourceTree: Sendable {
    private static let extensions: Set<String> = ["swift", "c", "cc", "cpp", "cxx", "m", "mm", "h", "hpp"]
    /// No project needs more, and a mistyped root such as `/` must not take for ever.
    private static let mostFiles = 200_000

    private let root: String
    /// Paths below the root, by the file's name.
    private let paths: [String: [String]]

    /// - Parameter root: the project's folder; what is below folders whose names begin with a dot is left out.
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

    /// Not for a symbolic link, which may lead back to where the search comes from.
    private static func isFolder(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeDirectory
    }

    /// Where a file lies in the project.
    ///
    /// - Parameter file: `Module/File.swift`, `File.swift`, or an absolute path.
    /// - Returns: the path below the root; nil when the project has no such file, or several that it could be.
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
        // Built elsewhere: the ends of the paths agree.
        let ofFolder = candidates.filter { file.hasSuffix("/" + $0) }
        if ofFolder.count == 1 { return ofFolder[0] }
        return ofModule.isEmpty && candidates.count == 1 ? candidates[0] : nil
    }
}
