import CTFReader
import Foundation
import TestSupport

/// A case of the program `StuckPrograms`, which runs until it is ended.
final class StuckProgram {
    private let process: Process
    private let directory = TemporaryDirectory()
    private let input = Pipe()

    var pid: Int32 { process.processIdentifier }

    /// Starts the program and waits until it writes `ready`.
    init(_ name: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built("StuckPrograms").path)
        process.arguments = [name]
        process.standardInput = input
        // The kernel writes a core file there.
        process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
        let path = directory.appending("out")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: path)
        try process.run()
        process.endAtTheLatest()
        while process.isRunning, !output.contains("ready") { usleep(2000) }
    }

    deinit {
        guard process.isRunning else { return }
        kill(pid, SIGKILL)
        process.waitUntilExit()
    }

    /// The output of the program until now.
    var output: String {
        String(decoding: FileManager.default.contents(atPath: directory.appending("out")) ?? Data(), as: UTF8.self)
    }

    /// Whether no thread of the program runs or waits for a processor.
    var isAtRest: Bool {
        ProcFile.numbers(in: "/proc/\(pid)/task").allSatisfy {
            let stat = ProcFile.text("/proc/\(pid)/task/\($0)/stat") ?? ""
            return stat.lastIndex(of: ")").map { !stat[$0...].hasPrefix(") R") } ?? true
        }
    }

    /// Ends the standard input, on which `busy` ends by itself.
    ///
    /// - Returns: the exit status and the output.
    func finish() throws -> (status: Int32, output: String) {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// Writes the memory of the program into a core file: by the kernel, which ends the program, or by gdb if the
    /// kernel passes core files to another program.
    ///
    /// - Returns: the path of the core file.
    /// - Throws: when neither writes one.
    func writeCore() throws -> String {
        let pattern = ProcFile.text("/proc/sys/kernel/core_pattern") ?? ""
        if Self.writesBesideProgram(pattern) {
            let largest = Self.largestCore == .max ? "unlimited" : "\(Self.largestCore)"
            _ = try Program.installed("prlimit")?.run(["--pid", "\(pid)", "--core=\(largest)"])
            // The Swift runtime has a handler for SIGABRT, which interrupts all threads.
            kill(pid, SIGXCPU)
            process.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            if let name = names.first(where: { $0.hasPrefix("core") }) { return directory.appending(name) }
        }
        let prefix = directory.appending("core")
        let result = try Program.installed("gcore")?.run(["-o", prefix, "\(pid)"])
        guard result?.status == 0 else { throw CocoaError(.featureUnsupported) }
        return "\(prefix).\(pid)"
    }

    /// Whether core files can be written on this machine.
    static var canWriteCores: Bool {
        let pattern = ProcFile.text("/proc/sys/kernel/core_pattern") ?? "|"
        return Program.canRun("gcore") || writesBesideProgram(pattern)
    }

    /// Whether the kernel writes core files into the working directory of their program.
    private static func writesBesideProgram(_ pattern: String) -> Bool {
        !pattern.contains("|") && !pattern.contains("/") && largestCore > 0 && Program.installed("prlimit") != nil
    }

    /// The size to which this user may set the limit of core files.
    private static var largestCore: rlim_t {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
        return limit.rlim_max
    }

    /// Ends the program without waiting for its end.
    func killNow() { kill(pid, SIGKILL) }
}

/// The parts of the JSON of `queuescope stuck` that the tests read.
struct Diagnosis: Decodable {
    struct Process: Decodable {
        let pid: Int32
        let name: String
        let threads: Int
        let tasks: Int
    }

    struct Verdict: Decodable {
        let kind: String
        let text: String
        let threads: [Int32]
    }

    struct Releaser: Decodable {
        let tid: Int32?
        let text: String
    }

    struct Wait: Decodable {
        let waiter: String
        let tid: Int32?
        let count: Int
        let object: String
        let name: String
        let text: String
        let code: String?
        let ended_by: Releaser?
        let in_cycle: Bool
        let may_be_idle: Bool
    }

    struct Thread: Decodable {
        let tid: Int32
        let name: String
        let idle: Bool
        let stack: [String]?
    }

    let schema: String
    let process: Process
    let verdicts: [Verdict]
    let waits: [Wait]
    let threads: [Thread]
    let notes: [String]

    /// Runs the command once.
    init(of pid: Int32, _ options: String...) throws { try self.init(["\(pid)"] + options) }

    /// Runs the command on a core file.
    init(ofCore path: String, _ options: String...) throws { try self.init(["--core", path] + options) }

    private init(_ arguments: [String]) throws {
        let result = try Program.queuescope.run(["stuck", "--format", "json"] + arguments)
        guard result.status == 0 else { throw Failure(result: result) }
        self = try JSONDecoder().decode(Diagnosis.self, from: Data(result.output.utf8))
    }

    struct Failure: Error {
        let result: Program.Result
    }

    /// Runs the command until no thread of the program runs and the diagnosis satisfies a condition, because a program
    /// writes `ready` before it blocks. A thread that announced a wait and has not called the kernel has no stack yet.
    ///
    /// - Returns: the last diagnosis.
    static func of(_ program: StuckProgram, until isExpected: (Diagnosis) -> Bool) throws -> Diagnosis {
        var (wasAtRest, diagnosis) = (program.isAtRest, try Diagnosis(of: program.pid))
        for _ in 0..<200 where !(wasAtRest && isExpected(diagnosis)) {
            usleep(20_000)
            (wasAtRest, diagnosis) = (program.isAtRest, try Diagnosis(of: program.pid))
        }
        return diagnosis
    }
}
