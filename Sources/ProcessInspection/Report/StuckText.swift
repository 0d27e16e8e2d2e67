import TraceReports

/// The diagnosis of a process as text, in the form and the words of a report on a trace.
public struct StuckText {
    private let diagnosis: ProcessDiagnosis
    private let style: TextStyle
    private let showsStacks: Bool

    private static let waitLimit = 24
    private static let queueLimit = 12
    private static let itemLimit = 4
    /// Most waiters that a row names.
    private static let nameLimit = 4

    private var snapshot: ProcessSnapshot { diagnosis.snapshot }
    private var names: PartyNames { diagnosis.list.names }

    /// - Parameters:
    ///   - diagnosis: the diagnosis.
    ///   - style: width, colours and amount of detail.
    ///   - showsStacks: whether the stack of each thread and task is added.
    public init(_ diagnosis: ProcessDiagnosis, style: TextStyle, showsStacks: Bool = false) {
        self.diagnosis = diagnosis
        self.style = style
        self.showsStacks = showsStacks
    }

    /// The text, with a line feed at the end of each line.
    public func render() -> String {
        var page = TextPage(style)
        drawHead(on: &page)
        drawVerdict(on: &page)
        drawWaits(on: &page)
        drawQueues(on: &page)
        if showsStacks { drawStacks(on: &page) }
        drawNotes(on: &page)
        return page.string()
    }

    private var everything: Bool { if case .everything = style.detail { true } else { false } }

    private func drawHead(on page: inout TextPage) {
        page.add("Queuescope diagnosis", .strong)
        let process = snapshot.process
        page.addFact("program", "\(DisplayText.escaped(process.name)) (pid \(process.pid))")
        let idle = snapshot.waits.values.filter { if case .idle = $0 { true } else { false } }.count
        let threads = CompactNumber.counted(snapshot.threads.count, "thread")
        page.addFact("threads", idle == 0 ? threads : "\(threads), \(idle) of them idle in libdispatch")
        let tasks = snapshot.tasks.entries.count
        if tasks > 0 { page.addFact("tasks", CompactNumber.counted(tasks, "task")) }
    }

    private func drawVerdict(on page: inout TextPage) {
        page.addSection("VERDICT")
        for verdict in diagnosis.verdicts {
            let isDeadlock = verdict.kind == .deadlock
            page.addFact(Self.label(verdict.kind), verdict.text, isDeadlock ? .error : .warning)
        }
        guard diagnosis.verdicts.isEmpty else { return }
        page.add(" No cycle of waits was found.")
        guard let wait = diagnosis.waits.first(where: { !$0.mayBeIdle || $0.object == .continuation }) else {
            return page.addParagraph("No thread, task or item waits for another part of the program.", indent: 1)
        }
        page.addFact("waits", "\(wait.waiterName) \(wait.description).")
    }

    private static func label(_ kind: Verdict.Kind) -> String {
        switch kind {
        case .deadlock: "deadlock"
        case .mainThread: "main thread"
        case .pool: "Swift pool"
        case .suspendedQueue: "suspended"
        case .stopped: "stopped"
        }
    }

    // MARK: Waits

    /// Waits with the same cause in the same code.
    private var rows: [(description: String, waits: [OpenWait])] {
        var rows: [(description: String, waits: [OpenWait])] = []
        var places: [String: Int] = [:]
        for wait in diagnosis.waits {
            let description = wait.description
            if case .items = wait.waiter {
                rows.append((description, [wait]))
            } else if let place = places[description] {
                rows[place].waits.append(wait)
            } else {
                places[description] = rows.count
                rows.append((description, [wait]))
            }
        }
        return rows
    }

    private func drawWaits(on page: inout TextPage) {
        let rows = rows
        guard !rows.isEmpty else { return }
        page.addSection("STILL WAITING", note: "now, cycles first")
        let shown = rows.prefix(style.detail.limit(Self.waitLimit))
        for row in shown {
            let count = row.waits.count
            var more = ""
            if count > 1 {
                let named = row.waits.prefix(Self.nameLimit).map(\.waiterName).joined(separator: ", ")
                more = " (\(named)\(count > Self.nameLimit ? " and \(count - Self.nameLimit) more" : ""))"
            }
            let isTask = if case .task = row.waits[0].waiter { true } else { false }
            let label = count == 1 ? row.waits[0].waiterName : "\(count) \(isTask ? "tasks" : "threads")"
            let line = TextLine(" " + label, .strong)
            page.addParagraph("\(row.description)\(more).", label: line, indent: max(16, line.width + 2))
        }
        page.addRest(rows.dropFirst(shown.count).reduce(0) { $0 + $1.waits.count }, "wait")
    }

    // MARK: Queues

    private func drawQueues(on page: inout TextPage) {
        // The main thread holds the main queue all the time.
        let queues = snapshot.queues.values.filter { queue in
            queue.itemCount > 0 || queue.state.suspensions > 0 || queue.kind != .main && owner(of: queue) != nil
        }.sorted { $0.serialNumber < $1.serialNumber }
        guard !queues.isEmpty else { return }
        page.addSection("QUEUES", note: "held, suspended, or with items")
        let shown = queues.prefix(style.detail.limit(Self.queueLimit))
        for queue in shown {
            var facts: [String] = []
            if let owner = owner(of: queue) { facts.append("held by \(owner)") }
            if queue.state.isInactive {
                facts.append("not activated")
            } else if queue.state.suspensions > 0 {
                facts.append("suspended")
            }
            if queue.itemCount > 0 { facts.append(items(of: queue)) }
            let line = TextLine(" " + names.queue(queue.address), .strong)
            page.addParagraph(facts.joined(separator: "; "), label: line, indent: max(16, line.width + 2))
        }
        page.addRest(queues.count - shown.count, "queue")
    }

    private func owner(of queue: DispatchRuntime.Queue) -> String? {
        queue.state.owner.flatMap(snapshot.thread(innerID:)).map(names.thread)
    }

    private func items(of queue: DispatchRuntime.Queue) -> String {
        let limit = style.detail.limit(Self.itemLimit)
        let texts = queue.items.prefix(limit).compactMap(diagnosis.list.text)
        let count = OpenWaitList.counted(queue.itemCount, "item")
        guard !texts.isEmpty else { return count }
        return "\(count): \(texts.joined(separator: ", "))\(queue.itemCount > texts.count ? ", …" : "")"
    }

    // MARK: Stacks

    private func drawStacks(on page: inout TextPage) {
        page.addSection("STACKS", note: "innermost first")
        for thread in snapshot.threads {
            page.addGap()
            page.add(" \(names.thread(thread))\(Self.state(thread))", .strong)
            for frame in snapshot.names.frames(of: thread.stack) {
                page.addParagraph(StackNames.text(frame), indent: 3)
            }
            if !thread.stack.isWhole { page.add("   …", .faint) }
        }
        for entry in snapshot.tasks.entries {
            page.addGap()
            page.add(" \(names.task(entry.task.address))", .strong)
            for function in entry.functions {
                page.addParagraph(diagnosis.list.labels.text(function) ?? PartyNames.hexadecimal(function), indent: 3)
            }
        }
    }

    private static func state(_ thread: InspectedThread) -> String {
        switch thread.unread {
        case .wouldDisturb: ", not stopped: a stop would end its system call"
        case .uninterruptible: ", not stopped: its system call cannot be interrupted"
        case .error(let code): ", not read: \(SystemError.text(code))"
        case nil: ""
        }
    }

    private func drawNotes(on page: inout TextPage) {
        let notes = diagnosis.notes
        guard !notes.isEmpty else { return }
        page.addGap()
        for note in notes { page.addNote(note) }
    }
}
