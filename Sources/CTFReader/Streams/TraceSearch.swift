import Glibc

/// Finds the traces in a directory that is not one itself: what a session of LTTng, a relay daemon or a recording of
/// several processes leaves behind.
public enum TraceSearch {
    /// Directories nested deeper than this are not looked into; a relay daemon's have eight levels.
    private static let depthLimit = 16

    /// The directories of all traces at a path or below it.
    ///
    /// A directory with a file `metadata` is a trace, and nothing below it is another one. Symbolic links below the path
    /// are not followed, so that no trace is found twice.
    ///
    /// - Parameter path: a trace, or a directory that has traces somewhere below it.
    /// - Returns: the paths, by name, empty when there is no trace; and what could not be looked into.
    /// - Throws: when there is no directory at the path.
    public static func traces(at path: String) throws(CTFError) -> (paths: [String], unreadable: [CTFError]) {
        try TraceDirectory.examine(path)
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var search = Search()
        search.look(into: path, depth: 0)
        return (search.found, search.unreadable)
    }

    private struct Search {
        var found: [String] = []
        var unreadable: [CTFError] = []

        mutating func look(into path: String, depth: Int) {
            var status = stat()
            if stat("\(path)/metadata", &status) == 0 {
                if status.st_mode & S_IFMT == S_IFREG { return found.append(path) }
            } else if errno != ENOENT {
                return note("\(path)/metadata", "The file cannot be examined")
            }
            guard depth < depthLimit else { return }
            guard let names = TraceDirectory.names(in: path) else {
                return note(path, "The directory cannot be listed")
            }
            for name in names {
                let entry = "\(path)/\(name)"
                if lstat(entry, &status) != 0 {
                    note(entry, "It cannot be examined")
                } else if status.st_mode & S_IFMT == S_IFDIR {
                    look(into: entry, depth: depth + 1)
                }
            }
        }

        private mutating func note(_ path: String, _ problem: String) {
            // What is gone meanwhile is no loss.
            if errno != ENOENT { unreadable.append(.system(path, problem)) }
        }
    }
}
