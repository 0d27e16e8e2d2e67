/// Causes of a hang without a cycle: a signal stopped the process, the main thread is blocked, the threads of the Swift
/// pool are blocked, or the queue is suspended.
struct StarvationVerdicts {
    private let list: OpenWaitList
    private var snapshot: ProcessSnapshot { list.snapshot }

    /// The label of the queue whose items are the jobs of the Swift pool.
    private static let pool = "Swift global concurrent queue"
    private static let jobRunner = "swift_job_run"

    private var period: BlockedPeriod { BlockedPeriod(process: snapshot.process, dispatch: snapshot.dispatch) }

    init(_ list: OpenWaitList) { self.list = list }

    var verdicts: [Verdict] { [stopped, mainThread, pool].compactMap { $0 } + suspendedQueues }

    private var stopped: Verdict? {
        guard snapshot.threads.allSatisfy({ $0.state == "T" }) else { return nil }
        return Verdict(
            kind: .stopped,
            text:
                "The process is stopped by a signal such as SIGSTOP. "
                + "`kill -CONT \(snapshot.process.pid)` continues it.",
            threads: snapshot.threads.map(\.tid))
    }

    private var mainThread: Verdict? {
        guard let address = snapshot.dispatch.mainQueue, let queue = snapshot.queues[address], queue.itemCount > 0,
            let main = snapshot.threads.first(where: { $0.tid == snapshot.process.pid }),
            let wait = snapshot.waits[main.tid], wait.isBlocked,
            period.covers([main], queue)
        else { return nil }
        let cause = list.waits.first { $0.waiter == .thread(main.tid) }
        let items = OpenWaitList.counted(queue.itemCount, "item")
        let first = queue.items.lazy.compactMap(list.text).first.map { " (the first is \($0))" } ?? ""
        let place = cause?.place.map { ", in \($0)" } ?? ""
        return Verdict(
            kind: .mainThread,
            text: "\(list.names.thread(main)) waits \(cause?.cause ?? "")\(place). \(items) of the main queue "
                + "\(queue.itemCount == 1 ? "needs" : "need") this thread\(first).\(instant)",
            threads: [main.tid])
    }

    private var pool: Verdict? {
        guard let queue = snapshot.queues.values.first(where: { $0.label == Self.pool }), queue.itemCount > 0 else {
            return nil
        }
        let threads = snapshot.threads.filter { thread in
            let functions = snapshot.names.functions(of: thread.stack)
            return thread.tid != snapshot.process.pid
                && functions.contains { $0.hasPrefix(Self.jobRunner) || $0.hasPrefix("swift::runJobInEstablished") }
        }
        guard !threads.isEmpty, threads.allSatisfy({ snapshot.waits[$0.tid]?.isBlocked == true }),
            period.covers(threads, queue)
        else { return nil }
        let causes = threads.prefix(4).compactMap { thread in
            list.waits.first { $0.waiter == .thread(thread.tid) }.map { "\($0.waiterName) \($0.cause)\(place($0))" }
        }
        let jobs = OpenWaitList.counted(queue.itemCount, "job")
        let all = threads.count == 1 ? "The thread" : "All \(threads.count) threads"
        return Verdict(
            kind: .pool,
            text: "\(all) of the Swift pool \(threads.count == 1 ? "is" : "are") blocked, and \(jobs) "
                + "\(queue.itemCount == 1 ? "waits" : "wait") for a thread: \(causes.joined(separator: "; "))."
                + instant,
            threads: threads.map(\.tid))
    }

    /// A running process is observed for some time (``BlockedPeriod``), a core file has one instant.
    private var instant: String {
        snapshot.process.core == nil ? "" : " A core file has one instant, so this wait may be a short one."
    }

    private func place(_ wait: InspectedWait) -> String { wait.place.map { ", in \($0)" } ?? "" }

    private var suspendedQueues: [Verdict] {
        snapshot.queues.values.filter { ($0.state.suspensions > 0 || $0.state.isInactive) && $0.itemCount > 0 }
            .sorted { $0.serialNumber < $1.serialNumber }.map { queue in
                let items = OpenWaitList.counted(queue.itemCount, "item")
                let state = queue.state.isInactive ? "was not activated" : "is suspended"
                return Verdict(
                    kind: .suspendedQueue,
                    text: "Queue \(list.names.queue(queue.address)) \(state), with \(items).", threads: [])
            }
    }
}
