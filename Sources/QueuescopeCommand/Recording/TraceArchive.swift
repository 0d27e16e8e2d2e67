import CTFReader
import FoundationEssentials
import Glibc
import ReportText
import Symbolication

/// A trace in one compressed file: a tar archive with one directory, compressed by gzip.
///
/// Every Linux system has `tar` and `gzip`, so the file can be read without Queuescope as well.
enum TraceArchive {
    /// Most members of an archive that is read. A trace has a file for each thread.
    private static let mostMembers = 200_000

    /// Packs a trace into a file.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - file: the archive, which is replaced if it exists.
    /// - Throws: ``CommandFailure`` when the directory is no trace, a process still records it, or the file cannot be
    ///   written.
    static func pack(_ trace: String, into file: String) throws {
        let path = URL(fileURLWithPath: trace).standardizedFileURL
        guard !(try TraceSearch.traces(at: path.path).paths.isEmpty) else {
            throw CommandFailure(.unreadableTrace, "cannot pack \(trace): it is not a trace directory")
        }
        TraceCompletion.complete(at: path.path)
        for directory in try TraceSearch.traces(at: path.path).paths where ArenaRecovery.isPending(in: directory) {
            throw CommandFailure(
                .unreadableTrace, "cannot pack \(directory): a process still records into it, or its memory is missing")
        }
        let target = URL(fileURLWithPath: file).standardizedFileURL
        let unfinished = target.deletingLastPathComponent().appendingPathComponent("queuescope.\(getpid()).unfinished")
        defer { unlink(unfinished.path) }
        let run = try tar([
            "--create", "--gzip", "--file", unfinished.path, "--owner=0", "--group=0", "--numeric-owner",
            "--directory", path.deletingLastPathComponent().path, "--", path.lastPathComponent,
        ])
        guard run.exitStatus == 0, rename(unfinished.path, target.path) == 0 else {
            throw CommandFailure(.cannotCreate, "cannot write \(file): \(reason(run)). Name another file with --output")
        }
    }

    /// Whether a path names a file that begins as gzip does.
    static func isArchive(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var head: [UInt8] = [0, 0]
        return read(descriptor, &head, 2) == 2 && head == [0x1F, 0x8B]
    }

    /// Unpacks an archive into a temporary directory, which is removed when this process exits.
    ///
    /// - Parameter file: the archive.
    /// - Returns: the trace directory.
    /// - Throws: ``CommandFailure`` when the file is no archive of a trace, or there is no room.
    static func unpack(_ file: String) throws -> String {
        try check(file)
        var template = Array((FileManager.default.temporaryDirectory.path + "/queuescope.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .cannotCreate,
                "cannot unpack \(file): \(String(cString: strerror(errno))). Set TMPDIR to another directory")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        removeAtExit(folder)
        let run = try tar([
            "--extract", "--gzip", "--file", path(file), "--no-same-owner", "--no-same-permissions", "--directory",
            folder,
        ])
        guard run.exitStatus == 0 else {
            throw CommandFailure(
                .unreadableTrace, "cannot unpack \(file): \(reason(run)). Set TMPDIR to a directory with more room")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return "\(folder)/\(names.first ?? "")"
    }

    /// Refuses archives with more than one directory, or with other members than files and directories below it: a link
    /// could lead out of the temporary directory.
    private static func check(_ file: String) throws {
        func refused(_ why: String) -> CommandFailure {
            CommandFailure(
                .unreadableTrace, "cannot read the trace: \(file): \(why). queuescope pack makes such a file")
        }
        let list = try tar(["--list", "--verbose", "--quoting-style=escape", "--gzip", "--file", path(file)])
        guard list.exitStatus == 0 else { throw refused("it is no archive of a trace, or it is cut off") }
        let lines = list.output.split(separator: UInt8(ascii: "\n"))
        guard lines.count <= mostMembers else { throw refused("it has more than \(mostMembers) members") }
        var roots = Set<Substring>()
        for line in lines {
            // -rw-r--r-- 0/0  4096 2026-11-21 09:41 trace.ctf/metadata
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 5)
            guard fields.count == 6, let kind = fields[0].first, kind == "-" || kind == "d" else {
                throw refused("it has a member that is neither a file nor a directory")
            }
            let parts = fields[5].split(separator: "/", omittingEmptySubsequences: true)
            guard let root = parts.first, !fields[5].hasPrefix("/"), !parts.contains("..") else {
                throw refused("it has a member outside of its directory")
            }
            roots.insert(root)
        }
        guard roots.count == 1 else { throw refused("it is no archive of one directory") }
    }

    /// A path that tar takes neither for an option nor, by a colon, for another machine.
    private static func path(_ file: String) -> String { URL(fileURLWithPath: file).standardizedFileURL.path }

    private static func tar(_ arguments: [String]) throws -> ToolRun {
        guard let tool = ExecutableSearch.path(of: "tar"), let run = ToolRun(tool, ["--force-local"] + arguments) else {
            throw CommandFailure(.unavailable, "packed traces need tar and gzip: install them")
        }
        return run
    }

    private static func reason(_ run: ToolRun) -> String {
        let line = run.errors.split(separator: UInt8(ascii: "\n")).first ?? []
        return line.isEmpty ? "tar failed" : DisplayText.shortened(String(decoding: line, as: UTF8.self), to: 200)
    }

    nonisolated(unsafe) private static var temporary: [String] = []

    private static func removeAtExit(_ folder: String) {
        // Commands run on the main thread only, and exit handlers run after them.
        if temporary.isEmpty {
            atexit { TraceArchive.temporary.forEach { try? FileManager.default.removeItem(atPath: $0) } }
        }
        temporary.append(folder)
    }
}
