import Foundation
import TestSupport
import Testing

/// An unreadable trace gives one sentence that names it, exit code 2 and no output.
@Suite struct UnreadableTraceTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    private static let commands = [["report"], ["report", "--format", "json"], ["timeline"], ["events"]]

    private func expectRefusal(
        of trace: String, _ command: [String], saying words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let output = command[0] == "timeline" ? ["-o", directory.appending("page.html")] : []
        let result = try queuescope.run(command + [trace] + output)
        #expect(result.status == 2, sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(result.errors.hasPrefix("queuescope: "), sourceLocation: sourceLocation)
        #expect(result.errors.hasSuffix(".\n"), sourceLocation: sourceLocation)
        #expect(result.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
        #expect(result.errors.contains(trace), sourceLocation: sourceLocation)
        #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(
            !FileManager.default.fileExists(atPath: directory.appending("page.html")), sourceLocation: sourceLocation)
    }

    private func makeTrace(metadata: String) throws -> String {
        let trace = directory.appending("trace.ctf")
        try FileManager.default.createDirectory(atPath: trace, withIntermediateDirectories: false)
        try Data(metadata.utf8).write(to: URL(fileURLWithPath: trace + "/metadata"))
        return trace
    }

    @Test("Nothing at the path", arguments: commands)
    func nothing(command: [String]) throws {
        try expectRefusal(of: directory.appending("nothing"), command, saying: "no such directory")
    }

    @Test("An empty name is quoted")
    func emptyName() throws {
        let result = try queuescope.run(["report", ""])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("queuescope: cannot read the trace: '': There is no such directory"))
    }

    @Test("A file, not a directory", arguments: commands)
    func file(command: [String]) throws {
        let file = directory.appending("file")
        #expect(FileManager.default.createFile(atPath: file, contents: Data("text".utf8)))
        try expectRefusal(of: file, command, saying: "directory")
    }

    @Test("An empty directory", arguments: commands)
    func emptyDirectory(command: [String]) throws {
        try expectRefusal(of: directory.path, command, saying: "metadata")
    }

    @Test("A directory whose metadata is not CTF", arguments: commands)
    func notCTF(command: [String]) throws {
        try expectRefusal(of: makeTrace(metadata: "hello, world"), command, saying: "CTF")
    }

    @Test("Truncated metadata", arguments: commands)
    func truncatedMetadata(command: [String]) throws {
        try expectRefusal(
            of: makeTrace(metadata: "/* CTF 1.8 */\ntrace { major = 1; minor ="), command, saying: "metadata")
    }

    @Test("A trace of a newer schema; the error has both versions", arguments: commands.dropLast())
    func newerSchema(command: [String]) throws {
        let trace = try makeTrace(metadata: Self.metadata(schemaMajor: 9, event: "dispatch:item_begin"))
        try expectRefusal(of: trace, command, saying: "9.0")
    }

    @Test("A trace without Dispatch events", arguments: commands.dropLast())
    func notADispatchTrace(command: [String]) throws {
        let trace = try makeTrace(metadata: Self.metadata(schemaMajor: 1, event: "kernel:sched_switch"))
        try expectRefusal(of: trace, command, saying: "dispatch")
    }

    @Test("A trace without an event: the report is printed, and every command fails with the reason")
    func noEvents() throws {
        let trace = directory.appending("trace.ctf")
        let whole = "\(Package.root)/traces/1.6/plain-readers-writer/trace"
        try FileManager.default.createDirectory(atPath: trace, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: whole + "/metadata", toPath: trace + "/metadata")
        let page = directory.appending("page.html")
        for command in [["report"], ["report", "--format", "json"], ["check"], ["timeline", "-o", page]] {
            let result = try queuescope.run(command + [trace])
            #expect(result.status == 2, "\(command)")
            #expect(
                result.errors.hasPrefix("queuescope: cannot judge \(trace): no event of it could be read."),
                "\(result.errors)")
            #expect(result.output.isEmpty == (command[0] != "report"), "\(command)")
        }
        #expect(!FileManager.default.fileExists(atPath: page))
    }

    /// A complete description of a trace with one event class.
    private static func metadata(schemaMajor: Int, event: String) -> String {
        """
        /* CTF 1.8 */
        typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
        typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
        typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
        trace {
            major = 1; minor = 8; byte_order = le;
            packet.header := struct { uint32_t magic; uint32_t stream_id; };
        };
        env { domain = "ust"; schema_major = \(schemaMajor); schema_minor = 0; tracer_name = "queuescope"; };
        clock { name = "monotonic"; freq = 1000000000; };
        typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := uint64_clock_t;
        stream {
            id = 0;
            event.header := struct { uint8_t id; uint64_clock_t timestamp; };
            packet.context := struct { uint64_t content_size; uint64_t packet_size; };
        };
        event { name = "\(event)"; id = 1; stream_id = 0; fields := struct { uint32_t item; }; };

        """
    }
}
