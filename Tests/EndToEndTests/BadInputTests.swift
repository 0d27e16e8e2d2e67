import Foundation
import TestSupport
import Testing

@Suite("Bad input")
struct BadInputTests {
    static let commands = ["report", "timeline", "events"]

    @Test("a directory that does not exist gives one error sentence and exit code 2", arguments: commands)
    func noDirectory(command: String) throws {
        try expectRefusal(command, "/nonexistent/trace")
    }

    @Test("an empty directory gives one error sentence and exit code 2", arguments: commands)
    func emptyDirectory(command: String) throws {
        let directory = TemporaryDirectory()
        try expectRefusal(command, directory.path)
    }

    @Test("a file that is not CTF gives one error sentence and exit code 2", arguments: commands)
    func notCTF(command: String) throws {
        let directory = TemporaryDirectory()
        try Data("hello, world".utf8).write(to: URL(filePath: directory.appending("metadata")))
        try expectRefusal(command, directory.path)
    }

    @Test("truncated metadata gives one error sentence and exit code 2", arguments: commands)
    func truncated(command: String) throws {
        let directory = TemporaryDirectory()
        let metadata = try recordedMetadata(in: directory)
        try metadata.prefix(metadata.count / 2).write(to: URL(fileURLWithPath: directory.appending("trace/metadata")))
        try expectRefusal(command, directory.appending("trace"))
    }

    @Test("a newer schema gives one error sentence with both versions", arguments: ["report", "timeline"])
    func newerSchema(command: String) throws {
        let directory = TemporaryDirectory()
        let metadata = String(decoding: try recordedMetadata(in: directory), as: UTF8.self)
        let newer = metadata.replacing("schema_major = 1;", with: "schema_major = 9;")
        try newer.write(toFile: directory.appending("trace/metadata"), atomically: false, encoding: .utf8)
        let errors = try expectRefusal(command, directory.appending("trace"))
        #expect(errors.contains(/version 9\.\d/) && errors.contains(/version 1\./), "\(errors)")
    }

    @Test("invalid arguments print the usage and give exit code 64")
    func usage() throws {
        #expect(try Program.queuescope.run(["report"]).status == 64)
        #expect(try Program.queuescope.run(["nonsense"]).status == 64)
        #expect(try Program.queuescope.run(["report", "x", "--format", "nonsense"]).status == 64)
    }

    @Test(
        "an invalid size in the environment is reported, and the program runs unrecorded",
        arguments: ["2X", "-1", "G", "99999999999G"])
    func sizes(size: String) throws {
        for variable in ["QUEUESCOPE_LIMIT", "QUEUESCOPE_MEMORY"] {
            let directory = TemporaryDirectory()
            let path = directory.appending("trace")
            let run = try Program.built("OrderExample").run(
                [], environment: ["QUEUESCOPE_TRACE": path, variable: size])
            #expect(run.status == 0)
            #expect(run.errors.contains("\(variable) is \(size); it should be a number of bytes"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("an invalid window in the environment is reported, and has no effect", arguments: ["60", "0s", "1d", "60s"])
    func windows(length: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        // The last length is valid, and the recording is no flight recorder.
        let run = try Program.built("OrderExample").run(
            [], environment: ["QUEUESCOPE_TRACE": path, "QUEUESCOPE_WINDOW": length])
        #expect(run.status == 0)
        #expect(run.errors.contains("QUEUESCOPE_WINDOW is \(length); it "), "\(run.errors)")
        #expect(try !String(contentsOfFile: "\(path)/metadata", encoding: .utf8).contains("window_ns"))
    }

    @Test("sizes with a unit are valid", arguments: ["1G", "64000k", "32MiB", "67108864"])
    func sizeWithUnit(size: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let environment = ["QUEUESCOPE_TRACE": path, "QUEUESCOPE_LIMIT": size, "QUEUESCOPE_MEMORY": size]
        let run = try Program.built("OrderExample").run([], environment: environment)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let report = try Program.queuescope.run(["report", path, "--format", "json"])
        #expect(report.output.contains("\"discarded\" : 0"))
    }

    /// Records a small program into `trace` and returns the trace's metadata.
    private func recordedMetadata(in directory: TemporaryDirectory) throws -> Data {
        let path = directory.appending("trace")
        let run = try Program.built("OrderExample").run([], environment: ["QUEUESCOPE_TRACE": path])
        try #require(run.status == 0)
        return try #require(FileManager.default.contents(atPath: path + "/metadata"))
    }

    @discardableResult
    private func expectRefusal(_ command: String, _ path: String) throws -> String {
        let result = try Program.queuescope.run([command, path])
        #expect(result.status == 2, "\(result)")
        #expect(result.output.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(result.errors)")
        #expect(result.errors.contains(path), "names the file: \(result.errors)")
        return result.errors
    }
}
