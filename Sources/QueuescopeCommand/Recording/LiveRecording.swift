import CTFReader
import DispatchModel
import FoundationEssentials
import Glibc

/// A recording that a user names by the id of its process or by the directory of its trace.
struct LiveRecording {
    /// The directory of one trace.
    let path: String
    /// The root directory of the recorded process; empty when this process has the same root.
    let root: String

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

    private init(path: String, root: String) { (self.path, self.root) = (path, root) }

    private init(directory: String, process: String?) throws {
        let (paths, unreadable) = try TraceSearch.traces(at: directory)
        guard paths.count > 1 || process != nil else {
            if paths.isEmpty, let error = unreadable.first { throw error }
            self.init(path: paths.first ?? directory, root: "")
            return
        }
        // A trace that has just begun may be incomplete.
        let traces = paths.compactMap { try? DispatchTrace(path: $0) }
        let processes = traces.enumerated().map { index, trace in trace.process(numbered: index) }
        let chosen = try ProcessSelector.choose(
            process.map { ProcessSelector($0) }, from: processes, path: directory)
        self.init(path: traces[chosen.index].path, root: "")
    }

    /// Finds the trace that a process writes: the memory of its recorder is mapped in the process and has the path.
    private init(process id: Int32) throws {
        let folder = "/proc/\(id)"
        guard let maps = Self.text("\(folder)/maps") else {
            throw Self.failure(id, errno)
        }
        let arenas = maps.split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/ (/\S*/queuescope-[0-9a-f]{32})$/#).map { String($0.1) }
        }
        guard let arena = arenas.first else {
            throw CommandFailure(
                .unavailable,
                "process \(id) is not being recorded. Start the program with queuescope record; for a process that "
                    + "hangs, use queuescope stuck \(id)")
        }
        for root in ["", "\(folder)/root"] {
            guard let path = FollowedTrace.directory(ofArena: root + arena).map({ root + $0 }),
                FileManager.default.fileExists(atPath: path + "/metadata")
            else { continue }
            self.init(path: path, root: root)
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

    /// The content of a file of `/proc`; nil, with `errno`, when it cannot be read.
    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: content, as: UTF8.self) }
            content += piece[..<count]
        }
    }
}
