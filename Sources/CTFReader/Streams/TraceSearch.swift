import Glibc

/// Finds the traces below a directory, such as the output of an LTTng session, of a relay daemon, or of a recording of
/// several processes.
public enum TraceSearch {
    /// Maximum depth of the search. The output of a relay daemon has eight levels.
    private static let depthLimit = 16

    /// Finds all traces at or below a path.
    ///
    /// A directory with a file `metadata` is a trace and is not searched further. Symbolic links below the path are not
    /// followed, so no trace is found twice.
    ///
    /// - Parameter path: a trace, or a directory above traces.
    /// - Returns: the paths, sorted, empty without traces; and an error for each directory that cannot be read.
    /// - Throws: a ``CTFError`` when the path is not a directory.
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
                    note(entry, "The path cannot be examined")
                } else if status.st_mode & S_IFMT == S_IFDIR {
                    look(into: entry, depth: depth + 1)
                }
            }
        }

        private mutating func note(_ path: String, _ problem: String) {
            // A file that was removed during the search is not an error.
            if errno != ENOENT { unreadable.append(.system(path, problem)) }
        }
    }
}
