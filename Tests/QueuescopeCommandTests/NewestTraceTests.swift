import Foundation
import TestSupport
import Testing

/// Reading commands without an argument.
@Suite struct NewestTraceTests {
    private let directory = TemporaryDirectory()

    private func run(_ arguments: String) throws -> Program.Result {
        try Program(path: "/bin/sh").run([
            "-c", "cd \"$0\" && exec \"$1\" \(arguments)", directory.path, Program.queuescope.path,
        ])
    }

    private func copy(_ trace: String, to name: String, secondsAgo: Int) throws {
        let path = directory.appending(name)
        try FileManager.default.copyItem(atPath: "\(Package.root)/traces/1.6/\(trace)/trace", toPath: path)
        let date = Date(timeIntervalSinceNow: -Double(secondsAgo))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/metadata")
    }

    @Test("report, check, timeline and events read the newest trace of the current directory, and name it")
    func newest() throws {
        try copy("readers-writer", to: "z-older.ctf", secondsAgo: 60)
        try copy("plain-readers-writer", to: "newer.ctf", secondsAgo: 10)
        try FileManager.default.createDirectory(
            atPath: directory.appending("other"), withIntermediateDirectories: false)
        for command in ["report", "check", "events", "timeline"] {
            let (found, named) = (try run(command), try run("\(command) newer.ctf"))
            #expect(
                found.errors == "queuescope: reading newer.ctf, the newest trace in this directory.\n" + named.errors)
            #expect(found.status == named.status && found.output == named.output, "\(command)")
        }
        #expect(FileManager.default.fileExists(atPath: directory.appending("newer.html")))
    }

    @Test("Without a trace in the current directory, the argument is required")
    func none() throws {
        for command in ["report", "check", "events", "timeline"] {
            let result = try run(command)
            #expect(result.status == 64 && result.output.isEmpty, "\(command)")
            #expect(result.errors.hasPrefix("queuescope: name the trace directory"), "\(result.errors)")
        }
    }
}
