import CTFReader
import Foundation
import TestSupport
import Testing

/// Runs Tools/torture in its short form: some faults of each kind, with a new seed in each run.
@Suite(
    "Faults while a program is recorded", .serialized, .enabled(if: Program.canRun("python3")))
struct TortureTests {
    private let torture = Package.root + "/Tools/torture"
    private let environment = [
        "QUEUESCOPE": Program.queuescope.path,
        "QUEUESCOPE_PRELOAD": Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path,
    ]

    @Test("the program is not affected, and every event is recorded or counted as discarded")
    func neverNotices() throws {
        let result = try #require(Program.installed("python3")).run(
            [torture, "--short", "--until", "60", "--jobs", "\(ProcessInfo.processInfo.activeProcessorCount)"],
            environment: environment)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("a flight recorder in memory has the last seconds before a kill, a crash or the end of the memory")
    func flight() throws {
        let result = try #require(Program.installed("python3")).run(
            [torture, "--only", "flight", "--faults", "10"], environment: environment)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("Ctrl-C ends Tools/torture and its programs, and prints the results until then")
    func interrupted() throws {
        let directory = TemporaryDirectory()
        let (output, errors) = (directory.appending("out"), directory.appending("err"))
        // 10,000 sessions would take minutes.
        let process = try #require(Program.installed("python3")).start(
            [torture, "--only", "rotation"], environment: environment, output: output, errors: errors)
        var (markers, victims): ([Int32], [Int32]) = ([], [])
        while process.isRunning, victims.isEmpty {
            usleep(10_000)
            markers = Self.children(of: [process.processIdentifier], named: "marker")
            victims = Self.children(of: markers, named: "marker")
        }
        process.interrupt()
        process.waitUntilExit()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
        #expect(text.contains("\ninterrupted; until then:\n"), "\(text)")
        #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
        // A zombie is accepted: an orphan may have no parent that reaps it.
        #expect(!victims.isEmpty && (markers + victims).allSatisfy { [nil, "Z"].contains(Self.status(of: $0)?.state) })
    }

    private static func children(of parents: [Int32], named name: String) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return processes.filter { process in
            guard let status = status(of: process) else { return false }
            return status.name == name && parents.contains(status.parent)
        }
    }

    /// The first fields of `/proc/PID/stat`: `(name) state parent`. Nil if the process does not exist.
    private static func status(of process: Int32) -> (name: String, state: String, parent: Int32)? {
        guard let text = ProcFile.text("/proc/\(process)/stat"),
            let match = text.firstMatch(of: /\((.*)\) (\S) (\d+)/), let parent = Int32(match.3)
        else { return nil }
        return (String(match.1), String(match.2), parent)
    }
}
