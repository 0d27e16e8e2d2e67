import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Recording a program with tasks and actors")
struct ConcurrencyProgramTests {
    /// The scenarios of `ConcurrencyPrograms`.
    static let names: [String] = {
        let list = try? Program.built("ConcurrencyPrograms").run([])
        return list?.lines.map(String.init).filter { $0 != "done" } ?? []
    }()

    static let staticPrograms = Result {
        let folder = "\(UnmodifiedProgram.folder)/../ConcurrencyPrograms"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        return try StaticProgram.build(
            "StaticConcurrencyPrograms", sources: files.sorted().map { "ConcurrencyPrograms/\($0)" },
            options: ["-swift-version", "5"])
    }

    @Test("is tried with at least 50 programs")
    func enough() { #expect(Self.names.count >= 50) }

    @Test("changes nothing, and tells every task's life exactly", arguments: names)
    func dynamic(name: String) throws {
        let program = Program.built("ConcurrencyPrograms").path
        let plain = try ProgramRun.plain(program, [name])
        for round in 1...UnmodifiedProgramTests.repetitions {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let recorded = try ProgramRun.recorded(program, [name], trace: trace)
            #expect(recorded.status == plain.status, "round \(round): \(recorded)")
            #expect(recorded.output == plain.output, "round \(round)")
            #expect(recorded.errors == plain.errors, "round \(round)")
            let invariants = try TaskInvariants(trace: trace)
            #expect(invariants.violations == [], "round \(round)")
            #expect(!invariants.tasks.isEmpty && invariants.detail == .full)
        }
    }

    @Test("that is static changes nothing, and tells every task's life exactly", arguments: names)
    func wrapped(name: String) throws {
        let program = try Self.staticPrograms.get()
        let plain = try program.run([name])
        for round in 1...UnmodifiedProgramTests.repetitions {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let recorded = try program.run([name], environment: ["QUEUESCOPE_TRACE": trace])
            #expect(recorded.status == plain.status, "round \(round): \(recorded)")
            #expect(recorded.output == plain.output, "round \(round)")
            #expect(recorded.errors == plain.errors, "round \(round)")
            let invariants = try TaskInvariants(trace: trace)
            #expect(invariants.violations == [], "round \(round)")
            #expect(!invariants.tasks.isEmpty && invariants.detail == .full)
        }
    }

    /// Each program cancels all children of a group: while they are created, by `cancelAll()`, because a child throws
    /// an error, and by cancelling the parent of the group, which has 4 children with one child each.
    @Test(
        "marks all children that are cancelled",
        arguments: [
            ("group-made-cancelled", 5), ("group-cancelled", 10), ("group-child-throws", 6),
            ("group-discarding-throwing", 10), ("group-of-cancelled-task", 9),
        ])
    func cancelledChildren(name: String, count: Int) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = Program.built("ConcurrencyPrograms").path
        let run = try ProgramRun.recorded(program, [name], trace: trace)
        #expect(run.status == 0 && run.output.hasSuffix("done\n"), "\(run)")
        let cancelled = try TaskInvariants(trace: trace).tasks.filter(\.isCancelled)
        #expect(cancelled.count == count, "\(cancelled)")
        #expect(cancelled.allSatisfy { $0.cancelledAt != nil })
    }

    @Test("records the end of each of 40 tasks that begin inside each other")
    func deepTasks() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(Program.built("ConcurrencyPrograms").path, ["immediate-deep"], trace: trace)
        #expect(run.status == 0 && run.output == "40\ndone\n", "\(run)")
        let tasks = try TaskInvariants(trace: trace).tasks.filter { $0.kind == .immediate }
        #expect(tasks.count == 40 && tasks.allSatisfy(\.isFinished), "\(tasks.count { $0.isFinished })")
    }

    @Test("records the task of the runtime behind a sleep with a tolerance as a sleep")
    func sleepsWithTolerance() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = Program.built("ConcurrencyPrograms").path
        let run = try ProgramRun.recorded(program, ["sleep-with-tolerance"], trace: trace)
        #expect(run.status == 0, "\(run)")
        let kinds = try TaskInvariants(trace: trace).tasks.map(\.kind)
        #expect(kinds.count { $0 == .sleep } == 3 && !kinds.contains(.unknown), "\(kinds)")
    }

    @Test("records isolated deinitializers on their actors, with their class")
    func deinitializers() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = Program.built("ConcurrencyPrograms").path
        let run = try ProgramRun.recorded(program, ["global-actor-deinit"], trace: trace)
        #expect(run.status == 0 && run.output == "6\ndone\n", "\(run)")
        let deinitializers = try TaskInvariants(trace: trace).tasks.filter(\.isDeinit)
        #expect(deinitializers.count == 6 && deinitializers.allSatisfy(\.isFinished), "\(deinitializers)")
        #expect(deinitializers.allSatisfy { $0.name == "deinit of ConcurrencyPrograms.Page" })
    }

    @Test("may start and stop sessions while its tasks run")
    func sessions() throws {
        let directory = TemporaryDirectory()
        let program = try StaticProgram.build("RestartedSessions", sources: ["RestartedSessions/main.swift"])
        let count = 40 * UnmodifiedProgramTests.repetitions
        let run = try program.run([directory.path, "\(count)"])
        #expect(run.status == 0 && run.output == "done\n", "\(run)")
        for session in stride(from: 0, to: count, by: 10) {
            var events = 0
            let trace = try DispatchTrace(path: directory.appending("\(session)"))
            _ = try trace.forEachEvent { event, _, _ in if case .taskBegin = event { events += 1 } }
            #expect(events > 0)
        }
    }
}
