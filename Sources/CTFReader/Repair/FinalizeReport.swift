/// What ``TraceFinalizer`` cut off.
public struct FinalizeReport: Hashable, Sendable {
    /// One entry for each file that became shorter, sorted by path.
    public var files: [File] = []
    /// Bytes cut off in all files.
    public var bytesCut: Int { files.reduce(0) { $0 + $1.bytesBefore - $1.bytesAfter } }

    /// A file that became shorter.
    public struct File: Hashable, Sendable {
        /// The file's path.
        public var path: String
        /// Its size before, in bytes.
        public var bytesBefore: Int
        /// Its size now, in bytes.
        public var bytesAfter: Int

        /// Creates an entry.
        public init(path: String, bytesBefore: Int, bytesAfter: Int) {
            self.path = path
            self.bytesBefore = bytesBefore
            self.bytesAfter = bytesAfter
        }
    }

    /// Creates a report.
    public init(files: [File] = []) { self.files = files }
}
