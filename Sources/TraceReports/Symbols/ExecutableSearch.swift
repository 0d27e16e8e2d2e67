import FoundationEssentials

/// Finds programs as a shell does.
public enum ExecutableSearch {
    /// The first executable file of this name in the folders of `PATH`.
    ///
    /// - Parameter name: a program's name; a name with a slash is a path and is taken as it is.
    /// - Returns: its path; nil when there is none.
    public static func path(of name: String) -> String? {
        if name.contains("/") { return isExecutableFile(name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
    }

    /// The executable of this name in the folder where another one really lives, behind symbolic links.
    public static func path(of name: String, besides neighbour: String) -> String? {
        guard let neighbour = path(of: neighbour) else { return nil }
        let folder = URL(fileURLWithPath: neighbour).resolvingSymlinksInPath().deletingLastPathComponent()
        let candidate = folder.appendingPathComponent(name).path
        return isExecutableFile(candidate) ? candidate : nil
    }

    private static func isExecutableFile(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
