import CKernel
import CTFReader
import FoundationEssentials
import Glibc

/// Creates and checks the directory of a recording.
enum TraceDirectory {
    /// `MyService-20261121-094100.ctf` in the current directory, with a number if it already exists.
    static func fresh(for program: String) -> String {
        let name = URL(fileURLWithPath: program).lastPathComponent
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        let date = String(unsafeUninitializedCapacity: 16) { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress!, $0.count, "%Y%m%d-%H%M%S", &parts)
            }
        }
        return unused("\(name)-\(date)", extension: ".ctf")
    }

    /// The path, or the first of `path-2`, `path-3` … that does not exist.
    static func unused(_ path: String, extension: String = "") -> String {
        var candidate = path + `extension`
        var number = 1
        while FileManager.default.fileExists(atPath: candidate) {
            number += 1
            candidate = "\(path)-\(number)\(`extension`)"
        }
        return candidate
    }

    /// The trace to read: the one that the user names, or the newest trace in the current directory. A packed trace is
    /// unpacked.
    ///
    /// A trace is newer if its metadata was written later. The choice is printed on standard error.
    ///
    /// - Parameter name: the user's argument; nil for the newest trace.
    /// - Throws: ``CommandFailure`` when the current directory has no trace.
    static func named(_ name: String?) throws -> String {
        if let name { return TraceArchive.isArchive(name) ? try TraceArchive.unpack(name) : name }
        func written(_ directory: String) -> timespec? {
            var status = stat()
            return stat("\(directory)/metadata", &status) == 0 ? status.st_mtim : nil
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        let traces = names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in written(name).map { (name, $0) }
        }
        let newest = traces.max { ($0.1.tv_sec, $0.1.tv_nsec) < ($1.1.tv_sec, $1.1.tv_nsec) }
        guard let newest else {
            throw CommandFailure(
                .usage, "name the trace directory: the current directory has no trace. queuescope record makes one")
        }
        StandardError.write("queuescope: reading \(newest.0), the newest trace in this directory.\n")
        return newest.0
    }

    /// Checks that the recording overwrites nothing.
    ///
    /// - Throws: ``CommandFailure`` when the path exists and is not an empty directory.
    static func check(_ path: String) throws {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return }
        guard isDirectory else {
            throw CommandFailure(.usage, "cannot record into \(path): it is a file. Name a new directory with --output")
        }
        guard let content = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandFailure(
                .usage, "cannot record into \(path): it cannot be read. Name a new directory with --output")
        }
        if !content.isEmpty {
            throw CommandFailure(
                .usage,
                "cannot record into \(path): it is not empty. Name a new directory with --output, or replace the "
                    + "trace in it with --force")
        }
    }

    /// Removes an earlier trace from a directory, which stays.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the directory, which need not exist.
    ///   - name: the path as the user gave it.
    /// - Throws: ``CommandFailure`` when the directory has other content than a trace, or a process still records the
    ///   trace.
    static func removeTrace(_ path: String, named name: String) throws {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return }
        let content = isDirectory ? try? FileManager.default.contentsOfDirectory(atPath: path) : nil
        guard let content, content.isEmpty || content.contains("metadata") else {
            throw CommandFailure(
                .usage, "cannot replace \(name): it is not a trace. Name another directory with --output, or remove it")
        }
        if case .live? = RecordedTrace(path, named: name)?.state {
            throw CommandFailure(
                .usage, "cannot replace \(name): a process still records into it. Name another directory with --output")
        }
        for file in content {
            do {
                try FileManager.default.removeItem(atPath: "\(path)/\(file)")
            } catch {
                throw CommandFailure(.cannotCreate, "cannot replace \(name): \(file) cannot be removed")
            }
        }
    }

    /// A lock next to a trace directory, held during a recording. The recorder creates the directory later, so without
    /// the lock two recordings could use the same directory.
    struct Lock {
        fileprivate let path: String
        /// -1 when the file cannot be opened, for example because it belongs to another user. Then nothing is locked.
        fileprivate let descriptor: Int32

        /// Checks that a flight recorder can overwrite its oldest events.
        ///
        /// - Throws: ``CommandFailure`` when the file system does not support holes in files.
        func checkHoles(for directory: String) throws {
            if descriptor < 0 || qs_can_make_holes(descriptor) { return }
            throw CommandFailure(
                .cannotCreate,
                "cannot keep a flight recorder's trace in \(directory): its file system has no holes in files. "
                    + "Name a directory on ext4, XFS, Btrfs or tmpfs with --output")
        }

        func release() {
            guard descriptor >= 0 else { return }
            unlink(path)
            close(descriptor)
        }
    }

    /// Creates the parent directories of a trace directory, and checks that the recorder can create the directory and
    /// that no other recording uses it.
    ///
    /// - Parameter path: the absolute path of the trace directory.
    /// - Returns: a lock to release after the recording.
    /// - Throws: ``CommandFailure`` with the obstacle.
    static func prepare(_ path: String) throws -> Lock {
        let url = URL(fileURLWithPath: path)
        let parent = url.deletingLastPathComponent()
        try make(parent.path)
        let file = parent.appendingPathComponent(".\(url.lastPathComponent).lock").path
        let lock = Lock(path: file, descriptor: open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        if lock.descriptor >= 0, flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(lock.descriptor)
            throw CommandFailure(
                .cannotCreate,
                "cannot record into \(path): another recording writes there. Name another directory with --output")
        }
        do { try probe(path) } catch {
            lock.release()
            throw error
        }
        return lock
    }

    private static func probe(_ path: String) throws {
        // The directory is removed again, because the program may run as another user, who could not write into it.
        if mkdir(path, 0o700) == 0 {
            rmdir(path)
        } else if errno != EEXIST || access(path, W_OK | X_OK) != 0 {
            throw CommandFailure.cannotWrite(path, errno)
        }
    }

    /// Creates a directory and its missing parents.
    ///
    /// - Parameter path: the directory.
    /// - Throws: ``CommandFailure`` with the directory that cannot be created.
    static func make(_ path: String) throws {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            if access(made, F_OK) != 0, mkdir(made, 0o777) != 0, errno != EEXIST {
                throw CommandFailure.cannotWrite(made, errno)
            }
        }
    }
}
