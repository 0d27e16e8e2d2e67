import DispatchAnalysis
import DispatchModel
import TestSupport
import Testing

/// The actors and tasks of a recording of `ConcurrencyPrograms bank`.
private final class BankStory: ModelObserver {
    /// The intervals in which tasks had the bank, ordered by time.
    private(set) var stretches: [Item] = []
    private(set) var waits: [TaskWait] = []
    private(set) var tasks: [SwiftTask] = []
    private(set) var runs: [TaskRun] = []
    private(set) var analysis: Analysis!

    var followed: ObservationKinds { [.items, .foreignItems, .tasks, .taskRuns, .taskWaits] }

    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item) where Self.isBank(item.queue, in: model): stretches.append(item)
        case .taskRun(let run) where run.actor.map { Self.isBank($0, in: model) } ?? false: runs.append(run)
        case .taskWait(let wait) where wait.actor.map { Self.isBank($0, in: model) } ?? false: waits.append(wait)
        case .task(let task): tasks.append(task)
        default: break
        }
    }

    private static func isBank(_ queue: QueueIndex, in model: DispatchModel) -> Bool {
        model[queue].kind == .actor && model[queue].label.hasSuffix(".Bank")
    }

    init(trace: String) throws {
        analysis = try AnalysisSession().analyze(path: trace, observers: [self])
        stretches.sort { $0.beganAt < $1.beganAt }
    }

    /// The total time in which other tasks had the bank during an interval.
    func held(by others: (TaskRun) -> Bool, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        runs.filter(others).reduce(.zero) { $0 + max(.zero, min($1.end, end) - max($1.begin, begin)) }
    }
}

@Suite("A bank, its ledger and their clients")
struct TaskStoryTests {
    private func record(isStatic: Bool) throws -> BankStory {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        if isStatic {
            let run = try ConcurrencyProgramTests.staticPrograms.get().run(
                ["bank"], environment: ["QUEUESCOPE_TRACE": trace])
            #expect(run.status == 0)
        } else {
            let program = Program.built("ConcurrencyPrograms").path
            #expect(try ProgramRun.recorded(program, ["bank"], trace: trace).status == 0)
        }
        return try BankStory(trace: trace)
    }

    @Test("who waited how long for whom is told to the nanosecond", arguments: [false, true])
    func waits(isStatic: Bool) throws {
        let story = try record(isStatic: isStatic)
        // Five deposits and one read of the balance.
        #expect(story.stretches.count == 6)
        #expect(story.waits.allSatisfy { $0.isFinished && $0.resumedAt != nil })
        for wait in story.waits {
            let begin = try #require(wait.resumedAt)
            let item = try #require(story.stretches.first { $0.enqueuedAt == begin && $0.beganAt == wait.ended })
            let others = story.held(by: { $0.task != wait.task }, from: begin, to: wait.ended)
            #expect(item.waitParts.ownBacklog == others)
            #expect(item.waitParts.total == wait.ended - begin)
            let holder = story.runs.first { $0.begin <= begin && begin < $0.end }
            #expect(wait.holder == holder?.task)
        }
        // A client that finds the bank taken waits for part of a deposit, which takes 3 ms.
        if story.analysis.model.processors > 1 { #expect(story.waits.contains { $0.holder != nil }) }
    }

    @Test("a task's name, class and life", arguments: [false, true])
    func lives(isStatic: Bool) throws {
        let story = try record(isStatic: isStatic)
        let named = try #require(story.tasks.first { $0.name == "interest" })
        #expect(named.kind == .unstructured && named.qos == .userInitiated && named.isFinished)
        // The sleep starts before the task suspends. On a busy machine it may end before, so the task does not wait.
        #expect(named.life >= .milliseconds(3))
        let main = try #require(story.tasks.first { $0.kind == .main })
        #expect(named.parent == main.number)
        #expect(story.tasks.count { $0.kind == .groupChild && $0.parent == main.number } == 4)
        #expect(story.tasks.count { $0.kind == .asyncLet && $0.parent == main.number } == 1)
        for task in story.tasks { #expect(task.parts.total == task.life) }
    }
}
