import DispatchAnalysis
import DispatchModel

/// The section of tasks in the timeline data. ``TimelineFormat`` describes it.
///
/// Tasks refer to other tasks by number, because the other task can be omitted.
enum TimelineTaskSection {
    static func encoded(_ tasks: [TimelineTask], _ strings: StringTable) -> [UInt8] {
        var writer = ByteWriter(reserving: tasks.count * 64)
        writer.varint(Int64(tasks.count))
        var before: SwiftTask?
        let order = tasks.sorted {
            ($0.task.createdAt, $0.task.number) < ($1.task.createdAt, $1.task.number)
        }
        for entry in order {
            head(of: entry.task, after: before, strings, into: &writer)
            before = entry.task
            writer.varint(Int64(entry.omittedSteps))
            writer.varint(Int64(entry.steps.count))
            var end = entry.task.createdAt.nanoseconds
            for step in entry.steps { end = write(step, after: end, into: &writer) }
        }
        return writer.bytes
    }

    private static func head(
        of task: SwiftTask, after before: SwiftTask?, _ strings: StringTable, into writer: inout ByteWriter
    ) {
        // Related tasks are mostly created one after the other, so differences are small.
        func difference(_ number: (SwiftTask) -> UInt64) {
            writer.zigzag(Int64(clamping: number(task)) - Int64(clamping: before.map(number) ?? 0))
        }
        difference { $0.number }
        difference { $0.parent ?? 0 }
        difference { $0.group }
        writer.varint(Int64(task.kind.rawValue))
        writer.varint((task.isFinished ? 1 : 0) | (task.isCancelled ? 2 : 0))
        writer.varint(Int64(strings[task.name]))
        writer.varint(Int64(task.code.rawValue))
        writer.varint(Int64(task.createdOn?.rawValue ?? -1) + 1)
        writer.varint((task.createdAt - (before?.createdAt ?? .zero)).count)
        writer.varint(task.life.count)
        let parts = task.parts.named.map(\.value.count)
        let present = parts.indices.filter { parts[$0] > 0 }
        writer.byte(present.reduce(0) { $0 | 1 << UInt8($1) })
        for part in present.dropLast() { writer.varint(parts[part]) }
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
            // The object of a wait for an executor is redundant: the actor is written below.
            writer.varint(wait.kind == .executor ? 0 : Int64(clamping: wait.object))
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
