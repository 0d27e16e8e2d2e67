import CTFReader
import DispatchModel
import FoundationEssentials
import Glibc

/// A recording that a user names by the id of its process or by the directory of its trace.
struct LiveRecording {
    /// The directory of one trace.
    let path: String
    /// The recorded process, if the user named it by its id.
    let process: Int32?

    /// Finds the recording.
    ///
    /// - Parameters:
    ///   - name: the id of a process, a trace directory, or a directory of traces; nil for the newest trace in the
    ///     current directory.
    ///   - process: selects a process if the directory has several traces; nil for none.
    /// - Throws: ``CommandFailure`` or an error of the reader, with the reason.
    init(named name: String?, process: String?) throws {
        if let name, let id = Int32(name), !FileManager.default.fileExists(atPath: name) {
            self = try Self(process: id)
            return
        }
        self = try Self(directory: TraceDirectory.named(name), process: process)
    }

    private init(path: String, process: Int32? = nil) { (self.path, self.process) = (path, process) }

    private init(directory: String, process: String?) throws {
        let (paths, unreadable) = try TraceSearch.traces(at: directory)
        guard paths.count > 1 || process != nil else {
            if paths.isEmpty, let error = unreadable.first { throw error }
            self.init(path: paths.first ?? directory)
            return
        }
        // A trace that has just begun may be incomplete.
        let traces = paths.compactMap { try? DispatchTrace(path: $0) }
        let processes = traces.enumerated().map { index, trace in trace.process(numbered: index) }
        let chosen = try ProcessSelector.choose(
            process.map { ProcessSelector($0) }, from: processes, path: directory)
        self.init(path: traces[chosen.index].path)
    }

    /// Finds the trace that a process writes: the memory of its recorder has the path.
    private init(process id: Int32) throws {
        guard let directories = FollowedTrace.directories(of: id) else { throw Self.failure(id, errno) }
        guard let directory = directories.first else {
            throw CommandFailure(
                .unavailable,
                "process \(id) is not being recorded. Start the program with queuescope record; for a process that "
                    + "hangs, use queuescope stuck \(id)")
        }
        // The process may have another root directory.
        for path in [directory, "/proc/\(id)/root\(directory)"]
        where FileManager.default.fileExists(atPath: path + "/metadata") {
            self.init(path: path, process: id)
            return
        }
        throw CommandFailure(
            .unavailable,
            "process \(id) is being recorded, but its trace cannot be found: it was moved, or it belongs to another "
                + "user. Name the trace directory, or run as the user of the process")
    }

    private static func failure(_ id: Int32, _ code: Int32) -> CommandFailure {
        code == EACCES || code == EPERM
            ? CommandFailure(.unavailable, "process \(id) belongs to another user: run as that user or as root")
            : CommandFailure(.unavailable, "there is no process \(id), and no directory with that name")
    }
}
