import CKernel
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
                .usage, "cannot record into \(path): it is not empty. Name a new directory with --output, or remove it")
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
