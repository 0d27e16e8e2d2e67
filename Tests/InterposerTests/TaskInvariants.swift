import DispatchAnalysis
import DispatchModel

/// Checks properties that every complete trace of a program with tasks has. Failures are listed in `violations`.
final class TaskInvariants: ModelObserver {
    private(set) var violations: [String] = []
    private(set) var tasks: [SwiftTask] = []
    /// The level of detail that the trace has for tasks.
    private(set) var detail = TaskDetail.none
    /// The reason for a lower level.
    private(set) var reason = ""
    private var runs: [TaskRun] = []

    var followed: ObservationKinds { [.tasks, .taskRuns] }

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .task(let task) = observation { tasks.append(task) }
        if case .taskRun(let run) = observation { runs.append(run) }
    }

    /// Reads a trace and checks all properties.
    init(trace: String) throws {
        try checkEvents(of: trace)
        let analysis = try AnalysisSession().analyze(path: trace, observers: [self])
        if analysis.trace.discarded + analysis.trace.unknown != 0 { violations.append("events are missing") }
        for check in analysis.quality.checks where !check.passed {
            violations.append("\(check.id): \(check.violations) of \(check.checked)")
        }
        for task in tasks {
            if task.createdOn == nil { violations.append("nobody created task \(task.number)") }
            if task.parts.total != task.life { violations.append("the parts of task \(task.number)'s life miss some") }
        }
        checkRuns("task", by: { Int($0.task) })
        checkRuns("actor", by: { $0.actor?.position })
    }

    /// Two runs of one task, or on one actor, must not overlap.
    private func checkRuns(_ what: String, by key: (TaskRun) -> Int?) {
        var ends: [Int: Timestamp] = [:]
        for run in runs.sorted(by: { ($0.begin, $0.end) < ($1.begin, $1.end) }) {
            guard let key = key(run) else { continue }
            if let end = ends[key], end > run.begin {
                violations.append("\(what) \(key) runs twice at \(run.begin): task \(run.task)")
            }
            ends[key] = max(run.end, ends[key] ?? run.end)
        }
    }

    /// Checks the order of events: a task is created, then ready, then runs, then leaves its thread.
    private func checkEvents(of trace: String) throws {
        var created: Set<UInt64> = []
        var ready: Set<UInt64> = []
        var running: Set<UInt64> = []
        func check(_ condition: Bool, _ what: @autoclosure () -> String) {
            if !condition { violations.append(what()) }
        }
        func leaves(_ task: UInt64, _ how: String) {
            check(running.remove(task) != nil, "task \(task) \(how) and does not run")
            check(!ready.contains(task), "task \(task) \(how) without having begun")
        }
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            switch event {
            case .taskTrack(let event): (self.detail, self.reason) = (event.taskDetail, event.reason)
            case .taskCreate(let event):
                check(created.insert(event.task).inserted, "task \(event.task) is created twice")
            case .taskEnqueue(let event):
                check(created.contains(event.task), "task \(event.task) is enqueued and was not created")
                check(ready.insert(event.task).inserted, "task \(event.task) is enqueued twice")
                check(!running.contains(event.task), "task \(event.task) is enqueued and runs")
            case .taskBegin(let event):
                check(created.contains(event.task), "task \(event.task) begins and was not created")
                ready.remove(event.task)
                running.insert(event.task)
            case .taskSuspend(let event): leaves(event.task, "suspends")
            case .taskFinish(let event): leaves(event.task, "finishes")
            default: break
            }
        }
    }
}
