import Glibc

/// Reads the files of a trace directory.
enum TraceDirectory {
    /// Reads the metadata of the trace in a directory.
    static func metadata(in path: String) throws(CTFError) -> MetadataSource {
        try examine(path)
        let file = "\(path)/metadata"
        var status = stat()
        guard stat(file, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw CTFError.system(file, "The file cannot be examined")
            }
            throw CTFError(
                .noMetadata, at: .init(file: path),
                "The directory has no file 'metadata', so it is not a CTF trace; name the directory of a trace")
        }
        guard let mapped = try MappedFile(path: file, name: "metadata") else {
            throw CTFError(.noMetadata, at: .init(file: file), "The metadata is not a regular file")
        }
        return try MetadataPackets.source(UnsafeRawBufferPointer(start: mapped.bytes, count: mapped.count), file: file)
    }

    /// Throws an error unless the path is a directory.
    static func examine(_ path: String) throws(CTFError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw CTFError(
                    .notFound, at: .init(file: path), "There is no such directory; name the directory of a trace")
            }
            throw CTFError.system(path, "The directory cannot be examined")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CTFError(
                .notADirectory, at: .init(file: path),
                "Not a directory; name the trace directory, which contains 'metadata'")
        }
    }

    /// Maps the data stream files of a directory, sorted by name. Subdirectories such as `index` are ignored.
    static func streamFiles(in path: String) throws(CTFError) -> [MappedFile] {
        guard let names = names(in: path) else { throw CTFError.system(path, "The directory cannot be listed") }
        var files: [MappedFile] = []
        for name in names where name != "metadata" {
            if let file = try MappedFile(path: "\(path)/\(name)", name: name) { files.append(file) }
        }
        return files
    }

    /// The names of the entries of a directory without hidden files, sorted; nil when the directory cannot be listed.
    static func names(in path: String) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
