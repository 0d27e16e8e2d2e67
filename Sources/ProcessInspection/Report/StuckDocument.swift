import CReportAssets
import ReportText

/// The output of `queuescope stuck --format json`. Member names are stable: members are added, never renamed.
public struct StuckDocument: Encodable {
    struct Process: Encodable {
        let pid: Int32
        let name: String
        let threads: Int
        let idleThreads: Int
        let tasks: Int
        /// The path of the core file. Absent for a running process.
        let core: String?
        /// The number of the signal that ended the process. Absent for a running process, and for the core file of a
        /// process that continued.
        let signal: Int32?

        enum CodingKeys: String, CodingKey {
            case pid, name, threads, tasks, core, signal
            case idleThreads = "idle_threads"
        }
    }

    struct VerdictRow: Encodable {
        let kind: Verdict.Kind
        let text: String
        /// The ids of the threads that it is about.
        let threads: [Int32]
    }

    struct Wait: Encodable {
        enum Waiter: String, Encodable { case thread, task, items }

        let waiter: Waiter
        /// The id of the waiting thread. Absent for a task and for items.
        let tid: Int32?
        /// The number of the waiting task. Absent for a thread and for items.
        let task: UInt32?
        /// Number of waiting items of the queue. 1 for a thread and for a task.
        let count: Int
        let object: InspectedWait.Object
        /// The label of the object, or its address or number, or the name of the system call.
        let name: String
        /// The sentence of the text report, without the waiter.
        let text: String
        /// The innermost code of the program that waits. Absent when unknown.
        let code: String?
        let endedBy: Releaser?
        /// Whether the wait is part of a cycle.
        let isInCycle: Bool
        /// Whether a program without work waits in this way.
        let mayBeIdle: Bool

        enum CodingKeys: String, CodingKey {
            case waiter, tid, task, count, object, name, text, code
            case endedBy = "ended_by"
            case isInCycle = "in_cycle"
            case mayBeIdle = "may_be_idle"
        }
    }

    struct Releaser: Encodable {
        let kind: InspectedWait.Releaser.Kind
        let tid: Int32?
        let text: String
    }

    struct Queue: Encodable {
        let label: String
        let serialNumber: UInt64
        let kind: String
        /// The id of the thread that holds the queue. Absent when it is free.
        let holder: Int32?
        let suspensions: Int
        let isInactive: Bool
        let items: Int
        /// The code of the first items.
        let code: [String]

        enum CodingKeys: String, CodingKey {
            case label, kind, suspensions, items, code
            case serialNumber = "serial_number"
            case holder = "holder_tid"
            case isInactive = "inactive"
        }
    }

    struct Thread: Encodable {
        let tid: Int32
        let name: String
        let isIdle: Bool
        /// The system call that blocks the thread. Absent for a thread that ran.
        let call: String?
        /// Innermost first. Absent without `--stacks`.
        let stack: [String]?
        /// Whether the stack is complete.
        let isWhole: Bool

        enum CodingKeys: String, CodingKey {
            case tid, name, call, stack
            case isIdle = "idle"
            case isWhole = "stack_complete"
        }
    }

    let schema = "queuescope.stuck/1"
    let process: Process
    let verdicts: [VerdictRow]
    let waits: [Wait]
    let queues: [Queue]
    let threads: [Thread]
    let notes: [String]

    /// The JSON Schema (draft 2020-12) that every such document satisfies.
    public static var schema: String {
        let asset = qs_report_asset_get(QS_ASSET_STUCK_SCHEMA)
        return String(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.size), as: UTF8.self)
    }

    /// - Parameters:
    ///   - diagnosis: the diagnosis.
    ///   - showsStacks: whether each thread has its stack.
    public init(_ diagnosis: ProcessDiagnosis, showsStacks: Bool) {
        let snapshot = diagnosis.snapshot
        let list = diagnosis.list
        func isIdle(_ tid: Int32) -> Bool { if case .idle? = snapshot.waits[tid] { true } else { false } }
        process = Process(
            pid: snapshot.process.pid, name: snapshot.process.name, threads: snapshot.threads.count,
            idleThreads: snapshot.threads.filter { isIdle($0.tid) }.count, tasks: snapshot.tasks.entries.count,
            core: snapshot.process.core?.path, signal: snapshot.process.core?.signal)
        verdicts = diagnosis.verdicts.map { VerdictRow(kind: $0.kind, text: $0.text, threads: $0.threads) }
        waits = diagnosis.waits.map { Wait($0, in: snapshot) }
        queues = snapshot.queues.values.sorted { $0.serialNumber < $1.serialNumber }.map { queue in
            Queue(
                label: queue.label, serialNumber: queue.serialNumber, kind: queue.kind.rawValue,
                holder: queue.state.owner.flatMap(snapshot.thread(innerID:))?.tid,
                suspensions: queue.state.suspensions, isInactive: queue.state.isInactive, items: queue.itemCount,
                code: queue.items.compactMap(list.text))
        }
        threads = snapshot.threads.map { thread in
            Thread(
                tid: thread.tid, name: list.names.thread(thread), isIdle: isIdle(thread.tid), call: thread.call?.name,
                stack: showsStacks ? snapshot.names.frames(of: thread.stack).map(StackNames.text) : nil,
                isWhole: thread.stack.isWhole)
        }
        notes = diagnosis.notes
    }

    /// The JSON text, with a line feed at its end.
    ///
    /// - Throws: an error of the encoder, which does not occur for these values.
    public func text() throws -> String { try JSONDocument.text(of: self) }
}

extension StuckDocument.Wait {
    init(_ wait: InspectedWait, in snapshot: ProcessSnapshot) {
        switch wait.waiter {
        case .thread(let tid): (waiter, self.tid, task, count) = (.thread, tid, nil, 1)
        case .task(let address):
            (waiter, tid, task, count) = (.task, nil, snapshot.concurrency.task(at: address)?.number, 1)
        case .items(_, let count): (waiter, tid, task, self.count) = (.items, nil, nil, count)
        }
        object = wait.object
        name = wait.objectName
        text = wait.description
        code = wait.place
        endedBy = wait.releaser.map { StuckDocument.Releaser(kind: $0.kind, tid: $0.thread, text: $0.text) }
        isInCycle = wait.isInCycle
        mayBeIdle = wait.mayBeIdle
    }
}
