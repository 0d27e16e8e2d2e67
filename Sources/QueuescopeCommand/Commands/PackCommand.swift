import ArgumentParser
import FoundationEssentials
import Glibc

/// `queuescope pack`: one compressed file of a trace.
struct PackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Packs a trace into one compressed file, to share or to keep.",
        discussion: """
            All commands that read a trace also take the file. They unpack it into a temporary directory (TMPDIR) and \
            remove the directory when they end. The file is a tar archive compressed by gzip:

              queuescope pack trace
              queuescope report trace.tgz
            """)

    @Argument(
        help: "The trace directory (default: the newest trace in the current directory).", completion: .trace)
    var trace: String?

    @Option(
        name: .shortAndLong, help: "The file (default: the name of the trace with .tgz in the current directory).",
        completion: .file(extensions: ["tgz"]))
    var output: String?

    func run() throws {
        let trace = try TraceDirectory.named(trace)
        let name = URL(fileURLWithPath: trace).standardizedFileURL.lastPathComponent
        let file = output ?? "\(name).tgz"
        try TraceArchive.pack(trace, into: file)
        var status = stat()
        let size = stat(file, &status) == 0 ? " (\(ByteSize(bytes: UInt64(max(1, status.st_size))).readable))" : ""
        StandardError.write(
            "queuescope: packed \(trace) into \(file)\(size). Next: queuescope report \(Terminal.word(file))\n")
    }
}
