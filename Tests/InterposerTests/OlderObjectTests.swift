import DispatchModel
import Foundation
import TestSupport
import Testing

/// Objects of libdispatch that exist before a session starts.
@Suite("An object that is older than the session")
struct OlderObjectTests {
    private static let object = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path
    private let directory = TemporaryDirectory()

    /// The program `OlderObjects`, compiled for this test.
    private func program() throws -> Program {
        let source = Package.root + "/Tests/TracedPrograms/OlderObjects/program.c"
        let path = directory.appending("older")
        let command = try #require(Toolchain.current).command(
            for: UnmodifiedProgram(language: .c, source: source), output: path)
        let compiled = try command.compiler.run(command.arguments)
        try #require(compiled.status == 0, "\(compiled.errors)")
        return Program(path: path)
    }

    @Test("takes no memory of the hooks while nothing is recorded")
    func memory() throws {
        let program = try program()
        func bytes(_ environment: [String: String]) throws -> Int {
            let result = try program.run(["memory"], environment: environment)
            try #require(result.status == 0, "\(result)")
            return try #require(Int(result.output.dropLast()))
        }
        let plain = try bytes([:])
        let dormant = try bytes(["LD_PRELOAD": Self.object])
        #expect(plain > 400)
        // Three objects. The allocator's pages differ by a few bytes an object.
        #expect(abs(dormant - plain) < 16, "\(plain) bytes plain, \(dormant) bytes dormant")
    }

    /// The definitions of a trace.
    private struct Definitions {
        var states: [String: DispatchEvent.QueueState] = [:]
        var created: Set<String> = []
        var sources: [DispatchEvent.SourceCreate] = []
        var merges: Set<UInt64> = []
        var groups: [String: Int] = [:]

        init(trace: String) throws {
            _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
                switch event {
                case .queueState(let queue): states[queue.label] = queue
                case .queueCreate(let queue): created.insert(queue.label)
                case .sourceCreate(let source): sources.append(source)
                case .sourceMerge(let merge): merges.insert(merge.source)
                case .groupEnter: groups["enter", default: 0] += 1
                case .groupLeave: groups["leave", default: 0] += 1
                default: break
                }
            }
        }
    }

    @Test(
        "is described at its first use in each session, and the program's calls reach the hooks in sessions only",
        arguments: [true, false])
    func describedAtFirstUse(isPreloaded: Bool) throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: try program().path)
        process.arguments = isPreloaded ? ["steps"] : ["steps", Self.object]
        let variables = isPreloaded ? ["LD_PRELOAD": Self.object] : [:]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        process.endAtTheLatest()
        /// Waits for a line of the program.
        func expectLine(_ expected: String) {
            var bytes: [UInt8] = []
            while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                bytes.append(byte)
            }
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
        /// Lets the program use its objects. Its calls reach a function of this file.
        func step(calls file: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            expectLine(file)
        }
        expectLine("ready")
        try step(calls: "libdispatch.so")
        let id = "\(process.processIdentifier)"
        for name in ["first", "second"] {
            let started = try Program.queuescope.run(["start", id, "-o", directory.appending(name)])
            try #require(started.status == 0, "\(started.errors)")
            try step(calls: "libqueuescope_preload.so")
            #expect(try Program.queuescope.run(["stop", id]).status == 0)
            try step(calls: "libdispatch.so")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        for name in ["first", "second"] {
            let found = try Definitions(trace: directory.appending(name))
            let creationNotRecorded: UInt8 = 32
            let target = try #require(found.states["older.target"], "\(name)")
            let concurrent = try #require(found.states["older.concurrent"], "\(name)")
            #expect(target.width == 1 && target.flags & creationNotRecorded != 0 && target.code == 0)
            #expect(concurrent.width >= 0xFFE && concurrent.target == target.queue)
            #expect(found.states["older.inactive"] != nil)
            #expect(found.states["older.unused"] == nil, "a queue that is not used is not in the trace")
            #expect(found.created == ["older.created"])
            let source = try #require(found.sources.first)
            #expect(found.sources.count == 1 && source.type == .dataAdd && source.queue == target.queue)
            #expect(found.merges == [source.source])
            #expect(found.groups == ["enter": 2, "leave": 2])
            let check = try Program.queuescope.run(["check", directory.appending(name)])
            #expect(check.status == 0, "\(check.output)\(check.errors)")
        }
    }
}
