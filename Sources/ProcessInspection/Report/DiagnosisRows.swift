import ReportText

/// The contents that the text report and the page have in common.
extension ProcessDiagnosis {
    /// Name and value of each line of the header.
    var facts: [(name: String, text: String)] {
        let process = snapshot.process
        var facts = [("program", "\(DisplayText.escaped(process.name)) (pid \(process.pid))")]
        if let core = process.core {
            let signal = core.signal.map { ", ended by signal \($0) (\(SystemError.signal($0)))" } ?? ""
            facts.append(("core", DisplayText.escaped(core.path) + signal))
        }
        let idle = snapshot.waits.values.filter { wait in
            if case .idle = wait { wait != .idle(.recorder) } else { false }
        }.count
        let threads = CompactNumber.counted(snapshot.threads.count, "thread")
        facts.append(("threads", idle == 0 ? threads : "\(threads), \(idle) of them idle in libdispatch"))
        let tasks = snapshot.tasks.entries.count
        if tasks > 0 { facts.append(("tasks", CompactNumber.counted(tasks, "task"))) }
        return facts
    }

    /// The time of the observations, for the title of a list.
    var instant: String { snapshot.process.core == nil ? "now" : "when the core file was written" }

    /// The most important wait that is no proof of a hang; nil when nothing waits for another part of the program.
    var foremostWait: InspectedWait? { waits.first { !$0.mayBeIdle || $0.object == .continuation } }

    /// The statement of a diagnosis without a verdict.
    var sentenceWithoutVerdict: String {
        let wait = foremostWait.map { "\($0.waiterName) waits \($0.description)." }
        return "No cycle of waits was found. " + (wait ?? Self.nothingWaits)
    }

    static let nothingWaits = "No thread, task or item waits for another part of the program."

    /// Waits with the same cause in the same code.
    var rows: [(description: String, waits: [InspectedWait])] {
        var rows: [(description: String, waits: [InspectedWait])] = []
        var places: [String: Int] = [:]
        for wait in waits {
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

    /// Queues that are held or suspended or have items. The main thread holds the main queue all the time.
    var busyQueues: [DispatchRuntime.Queue] {
        snapshot.queues.values.filter { queue in
            queue.itemCount > 0 || queue.state.suspensions > 0 || queue.kind != .main && owner(of: queue) != nil
        }.sorted { $0.serialNumber < $1.serialNumber }
    }

    /// `held by worker 12`, `suspended`, `3 items: …`.
    func facts(of queue: DispatchRuntime.Queue, itemLimit: Int) -> [String] {
        var facts: [String] = []
        if let owner = owner(of: queue) { facts.append("held by \(owner)") }
        if queue.state.isInactive {
            facts.append("not activated")
        } else if queue.state.suspensions > 0 {
            facts.append("suspended")
        }
        if queue.itemCount > 0 { facts.append(items(of: queue, limit: itemLimit)) }
        return facts
    }

    private func owner(of queue: DispatchRuntime.Queue) -> String? {
        queue.state.owner.flatMap(snapshot.thread(innerID:)).map(list.names.thread)
    }

    private func items(of queue: DispatchRuntime.Queue, limit: Int) -> String {
        let texts = queue.items.prefix(limit).compactMap(list.text)
        let count = OpenWaitList.counted(queue.itemCount, "item")
        guard !texts.isEmpty else { return count }
        return "\(count): \(texts.joined(separator: ", "))\(queue.itemCount > texts.count ? ", …" : "")"
    }
}
