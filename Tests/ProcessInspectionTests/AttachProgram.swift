import Foundation
import TestSupport

/// A program that prints `ready` and waits for the end of its input.
final class AttachProgram {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    var pid: Int32 { process.processIdentifier }

    init(_ program: Program, _ arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: program.path)
        process.arguments = arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        process.endAtTheLatest()
        let line = line()
        guard line == "ready" else { throw Failure(line: line) }
    }

    deinit {
        guard process.isRunning else { return }
        kill(pid, SIGKILL)
        process.waitUntilExit()
    }

    /// The next line of its output.
    func line() -> String {
        var bytes: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The answer of `SteppedProgram` to a number of items.
    func run(items: Int) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(items)\n".utf8))
        return line()
    }

    /// Ends the input.
    ///
    /// - Returns: the exit status.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    struct Failure: Error { let line: String }

    /// Whether objects can be loaded into running processes of this machine.
    #if arch(x86_64)
        static let canLoad = Program.canRun("clang")
    #else
        static let canLoad = false
    #endif

    /// Compiles a file of `Tests/TracedPrograms/Attach`.
    ///
    /// - Returns: the path of the program or the object.
    /// - Throws: the error of the compiler.
    static func compile(_ source: String, to path: String, _ options: String...) throws -> String {
        let file = "\(Package.root)/Tests/TracedPrograms/Attach/\(source)"
        guard let clang = Program.installed("clang") else { throw Failure(line: "clang is not installed") }
        let result = try clang.run(["-O1", "-Wall", file, "-o", path] + options)
        guard result.status == 0 else { throw Failure(line: result.errors) }
        return path
    }

    /// Compiles an object for ``RecordingCommand``. Its entry function appends a letter to the file `mark`.
    static func object(_ path: String, mark: String, _ options: [String] = []) throws -> String {
        let file = "\(Package.root)/Tests/TracedPrograms/Attach/opened_object.c"
        guard let clang = Program.installed("clang") else { throw Failure(line: "clang is not installed") }
        let flags = ["-shared", "-fPIC", "-fvisibility=hidden", "-O1", "-DMARK=\"\(mark)\""]
        let result = try clang.run(flags + options + [file, "-o", path])
        guard result.status == 0 else { throw Failure(line: result.errors) }
        return path
    }

    /// Runs `queuescope record --pid` with an object in place of the recorder.
    static func record(_ pid: Int32, loading object: String) throws -> Program.Result {
        try Program.queuescope.run(
            ["record", "--pid", "\(pid)", "--for", "10ms"], environment: ["QUEUESCOPE_PRELOAD": object])
    }
}
