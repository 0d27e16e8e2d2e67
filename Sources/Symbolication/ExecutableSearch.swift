import FoundationEssentials

/// Finds programs in the way a shell does.
public enum ExecutableSearch {
    /// Finds the first executable file with a name in the folders of `PATH`.
    ///
    /// - Parameter name: the name of a program. A name with a slash is used as a path.
    /// - Returns: the path; nil when there is no such file.
    public static func path(of name: String) -> String? {
        if name.contains("/") { return isExecutableFile(name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
    }

    /// Finds the executable with a name in the folder of another executable, after resolving symbolic links.
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
