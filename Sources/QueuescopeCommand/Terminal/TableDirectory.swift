import FoundationEssentials
import Glibc
import TraceExports

/// A directory of tables that appears when all tables are complete.
///
/// Until then it has the name `DIR.PID.unfinished`. It is removed after an error.
final class TableDirectory {
    private let path: String
    private let unfinished: String
    private var descriptors: [TableName: Int32] = [:]
    private var isFinished = false

    /// Creates the unfinished directory with an empty file per table.
    ///
    /// - Parameters:
    ///   - path: the directory; it must not exist, or be empty.
    ///   - tables: the tables that will be written.
    /// - Throws: ``CommandFailure`` with the directory and the reason.
    init(_ path: String, tables: [TableName]) throws {
        var end = path[...]
        while end.count > 1, end.hasSuffix("/") { end = end.dropLast() }
        guard !end.isEmpty else { throw CommandFailure(.usage, "name the directory of the tables after --output") }
        self.path = String(end)
        unfinished = "\(end).\(getpid()).unfinished"
        try Self.checkThatItIsFree(self.path)
        guard mkdir(unfinished, 0o777) == 0 else { throw CommandFailure.cannotWrite(self.path, errno) }
        for table in tables { descriptors[table] = try create(table.fileName) }
    }

    deinit {
        guard !isFinished else { return }
        for descriptor in descriptors.values { close(descriptor) }
        let names = descriptors.keys.map(\.fileName) + [TableSchema.fileName, DuckDBScript.fileName]
        for name in names { unlink("\(unfinished)/\(name)") }
        rmdir(unfinished)
    }

    /// Appends to a table.
    ///
    /// - Parameters:
    ///   - table: one of the tables of `init`.
    ///   - bytes: the next bytes.
    /// - Throws: ``CommandFailure`` with the file and the reason.
    func append(_ table: TableName, _ bytes: [UInt8]) throws {
        try write(bytes, to: descriptors[table]!, table.fileName)
    }

    /// Adds the description of the tables and the script that loads them, and renames the directory.
    ///
    /// - Throws: ``CommandFailure`` with the file and the reason.
    func finish() throws {
        let texts = [(TableSchema.fileName, try TableSchema.json()), (DuckDBScript.fileName, DuckDBScript.text)]
        for (name, text) in texts {
            let descriptor = try create(name)
            defer { close(descriptor) }
            try write(Array(text.utf8), to: descriptor, name)
        }
        for (table, descriptor) in descriptors {
            descriptors[table] = -1
            guard close(descriptor) == 0 else { throw CommandFailure.cannotWrite("\(path)/\(table.fileName)", errno) }
        }
        // `rename` replaces an empty directory of this name.
        guard rename(unfinished, path) == 0 else { throw CommandFailure.cannotWrite(path, errno) }
        isFinished = true
    }

    private func create(_ name: String) throws -> Int32 {
        let descriptor = open("\(unfinished)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CommandFailure.cannotWrite("\(path)/\(name)", errno) }
        return descriptor
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws {
        let code = bytes.withUnsafeBytes { FileDescriptorWriter.write($0, to: descriptor) }
        if let code { throw CommandFailure.cannotWrite("\(path)/\(name)", code) }
    }

    /// Checks the directory before the trace is read, rather than at the end.
    private static func checkThatItIsFree(_ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        guard !FileManager.default.fileExists(atPath: parent.appendingPathComponent("metadata").path) else {
            throw CommandFailure(
                .cannotCreate,
                "cannot write the tables into \(path): it is in a trace directory. Name a directory outside of it")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(
                .cannotCreate, "cannot write the tables into \(path): it is a file. Name a directory with --output")
        }
        let content = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard content.isEmpty else {
            throw CommandFailure(
                .cannotCreate,
                "cannot write the tables into \(path): it is not empty. Name another directory with --output")
        }
    }
}
