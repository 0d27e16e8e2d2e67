import ReportText

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
        for fact in diagnosis.facts { page.addFact(fact.name, fact.text) }
    }

    private func drawVerdict(on page: inout TextPage) {
        page.addSection("VERDICT")
        for verdict in diagnosis.verdicts {
            let isDeadlock = verdict.kind == .deadlock
            page.addFact(verdict.kind.label, verdict.text, isDeadlock ? .error : .warning)
        }
        guard diagnosis.verdicts.isEmpty else { return }
        page.add(" No cycle of waits was found.")
        guard let wait = diagnosis.foremostWait else {
            return page.addParagraph(ProcessDiagnosis.nothingWaits, indent: 1)
        }
        page.addFact("waits", "\(wait.waiterName) \(wait.description).")
    }

    // MARK: Waits

    private func drawWaits(on page: inout TextPage) {
        let rows = diagnosis.rows
        guard !rows.isEmpty else { return }
        page.addSection("STILL WAITING", note: "\(diagnosis.instant), cycles first")
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
        let queues = diagnosis.busyQueues
        guard !queues.isEmpty else { return }
        page.addSection("QUEUES", note: "held, suspended, or with items")
        let shown = queues.prefix(style.detail.limit(Self.queueLimit))
        for queue in shown {
            let facts = diagnosis.facts(of: queue, itemLimit: style.detail.limit(Self.itemLimit))
            let line = TextLine(" " + names.queue(queue.address), .strong)
            page.addParagraph(facts.joined(separator: "; "), label: line, indent: max(16, line.width + 2))
        }
        page.addRest(queues.count - shown.count, "queue")
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
