import Glibc

/// Finds the traces in a directory that is not one itself: what a session of LTTng, a relay daemon or a recording of
/// several processes leaves behind.
public enum TraceSearch {
    /// Directories nested deeper than this are not looked into; a relay daemon's have eight levels.
    private static let depthLimit = 16

    /// The directories of all traces at a path or below it.
    ///
    /// A directory with a file `metadata` is a trace, and nothing below it is another one. Symbolic links below the path
    /// are not followed, so that no trace is found twice. Directories that may not be listed are passed over.
    ///
    /// - Parameter path: a trace, or a directory that has traces somewhere below it.
    /// - Returns: the paths, by name; empty when there is no trace.
    /// - Throws: when there is no directory at the path.
    public static func traces(at path: String) throws(CTFError) -> [String] {
        try TraceDirectory.examine(path)
        var found: [String] = []
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        search(path, depth: 0, &found)
        return found
    }

    private static func search(_ path: String, depth: Int, _ found: inout [String]) {
        var status = stat()
        if stat("\(path)/metadata", &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            found.append(path)
            return
        }
        guard depth < depthLimit else { return }
        for name in TraceDirectory.names(in: path) ?? [] {
            let entry = "\(path)/\(name)"
            if lstat(entry, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                search(entry, depth: depth + 1, &found)
            }
        }
    }
}
