import DispatchModel

/// Writes the tasks: each run is a slice on its thread, next to the slices of items. Flows lead from the code that
/// created or resumed the task.
///
/// ```
///   creator   ──┬ creates task                        ┬ resumes task
///               ╰───────────╮                         ╰──────────╮
///   thread                  ╰─ run ─┤ (awaits)                   ╰─ run ─┤
/// ```
///
/// There is no track per task, because a trace can have a million tasks.
struct PerfettoTasks {
    /// The state of a task that has not ended.
    struct OpenTask {
        /// True when the task has run, so that the flow of its creation has an end.
        var hasRun = false
        /// The flow into the next run; nil when the code that resumed the task is unknown.
        var resumption: UInt64?
    }

    /// Open tasks by number, until they end.
    private(set) var open: [UInt64: OpenTask] = [:]

    /// The ids of the two flows of a task. They have the highest bit set, which flows of items never have, and differ
    /// in the lowest bit.
    private static func creationFlow(_ task: UInt64) -> UInt64 { 1 << 63 | task << 1 }
    private static func resumptionFlow(_ number: UInt64) -> UInt64 { 1 << 63 | number << 1 | 1 }

    mutating func add(_ run: TaskRun, in model: DispatchModel, to writer: inout PerfettoWriter) {
        let task = open[run.task] ?? OpenTask()
        var flows: [UInt64] = []
        if let flow = task.resumption { flows.append(flow) }
        if !task.hasRun { flows.append(Self.creationFlow(run.task)) }
        open[run.task] = OpenTask(hasRun: true)
        var annotations: [PerfettoAnnotation] = [.named("task", number: Int64(clamping: run.task))]
        if let actor = run.actor { annotations.append(.named("actor", PerfettoNames.label(of: model[actor]))) }
        writer.addSlice(
            on: .thread(run.thread), run.begin, run.end, .code(run.code), .task, terminating: flows,
            annotations: annotations)
    }

    /// Adds the instant of a resumption. A finished wait is observed before the run that follows it.
    mutating func add(_ wait: TaskWait, in model: DispatchModel, to writer: inout PerfettoWriter) {
        guard wait.isFinished, let resumedAt = wait.resumedAt, let resumer = wait.resumedOn else { return }
        let flow = Self.resumptionFlow(UInt64(writer.counts.flows))
        writer.addFlows(1)
        open[wait.task, default: OpenTask()].resumption = flow
        writer.addInstant(
            on: .thread(resumer), at: resumedAt, .text("resumes task"), .task, flow: flow,
            annotations: Self.annotations(of: wait, in: model))
    }

    private static func annotations(of wait: TaskWait, in model: DispatchModel) -> [PerfettoAnnotation] {
        var annotations: [PerfettoAnnotation] = [
            .named("task", number: Int64(clamping: wait.task)), .named("awaited", "\(wait.kind)"),
            .named("wait_ns", number: wait.duration.count),
        ]
        if let resumer = wait.resumedBy { annotations.append(.named("by task", number: Int64(clamping: resumer))) }
        if let actor = wait.actor { annotations.append(.named("actor", PerfettoNames.label(of: model[actor]))) }
        if let holder = wait.holder { annotations.append(.named("held by task", number: Int64(clamping: holder))) }
        return annotations
    }

    /// Adds the instant of a creation. A task is observed at its end, together with its creation.
    mutating func add(_ task: SwiftTask, to writer: inout PerfettoWriter) {
        let hasRun = open.removeValue(forKey: task.number)?.hasRun == true
        guard let creator = task.createdOn else { return }
        if hasRun { writer.addFlows(1) }
        var annotations: [PerfettoAnnotation] = [
            .named("task", number: Int64(clamping: task.number)), .named("kind", "\(task.kind)"),
            .named("life_ns", number: task.life.count), .named("finished", number: task.isFinished ? 1 : 0),
        ]
        if !task.name.isEmpty { annotations.append(.named("name", task.name)) }
        for part in task.parts.named where part.value > .zero {
            annotations.append(.named("part.\(part.name)_ns", number: part.value.count))
        }
        writer.addInstant(
            on: .thread(creator), at: task.createdAt, .text("creates task"), .task,
            flow: hasRun ? Self.creationFlow(task.number) : nil, annotations: annotations)
    }
}
