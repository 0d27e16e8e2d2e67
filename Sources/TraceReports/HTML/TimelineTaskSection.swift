import DispatchAnalysis
import DispatchModel

/// The tasks' section of the timeline's data; ``TimelineFormat`` describes it.
///
/// Tasks refer to one another by number, as the one that is meant may have been left out.
enum TimelineTaskSection {
    static func encoded(_ tasks: [TimelineTask], _ strings: StringTable) -> [UInt8] {
        var writer = ByteWriter(reserving: tasks.count * 64)
        writer.varint(Int64(tasks.count))
        var before: Int64 = 0
        let order = tasks.sorted {
            ($0.task.createdAt, $0.task.number) < ($1.task.createdAt, $1.task.number)
        }
        for entry in order {
            head(of: entry.task, createdAfter: before, strings, into: &writer)
            before = entry.task.createdAt.nanoseconds
            writer.varint(Int64(entry.omittedSteps))
            writer.varint(Int64(entry.steps.count))
            var end = before
            for step in entry.steps { end = write(step, after: end, into: &writer) }
        }
        return writer.bytes
    }

    private static func head(
        of task: SwiftTask, createdAfter before: Int64, _ strings: StringTable, into writer: inout ByteWriter
    ) {
        writer.varint(Int64(clamping: task.number))
        writer.varint(Int64(clamping: task.parent ?? 0))
        writer.varint(Int64(clamping: task.group))
        writer.varint(Int64(task.kind.rawValue))
        writer.varint((task.isFinished ? 1 : 0) | (task.isCancelled ? 2 : 0))
        writer.varint(Int64(strings[task.name]))
        writer.varint(Int64(task.code.rawValue))
        writer.varint(Int64(task.createdOn?.rawValue ?? -1) + 1)
        writer.varint(task.createdAt.nanoseconds - before)
        writer.varint(task.life.count)
        for part in task.parts.named { writer.varint(part.value.count) }
    }

    /// - Returns: the end of the step.
    private static func write(_ step: TaskStory.Step, after before: Int64, into writer: inout ByteWriter) -> Int64 {
        switch step {
        case .run(let run):
            writer.varint(0)
            writer.zigzag(run.begin.nanoseconds - before)
            writer.varint((run.end - run.begin).count)
            writer.varint(Int64(run.code.rawValue))
            writer.varint(Int64(run.thread.rawValue))
            writer.varint(Int64(run.actor?.rawValue ?? -1) + 1)
            return max(run.begin, run.end).nanoseconds
        case .wait(let wait):
            writer.varint(1 + Int64(wait.kind.rawValue))
            writer.zigzag(wait.began.nanoseconds - before)
            writer.varint(wait.duration.count)
            writer.varint(Int64((wait.awaiter == .unknown ? wait.code : wait.awaiter).rawValue))
            writer.varint(wait.isFinished ? 1 : 0)
            writer.varint(Int64(clamping: wait.object))
            writer.varint(wait.resumedAt.map { ($0 - wait.began).count + 1 } ?? 0)
            writer.varint(Int64(wait.resumedOn?.rawValue ?? -1) + 1)
            writer.varint(Int64(clamping: wait.resumedBy ?? 0))
            writer.varint(Int64(wait.resumeCode.rawValue))
            writer.varint(Int64(wait.actor?.rawValue ?? -1) + 1)
            writer.varint(Int64(clamping: wait.holder ?? 0))
            return max(wait.began, wait.ended).nanoseconds
        }
    }
}
