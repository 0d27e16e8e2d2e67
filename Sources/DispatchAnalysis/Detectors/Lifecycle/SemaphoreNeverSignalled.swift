import DispatchModel

/// A thread waits on a semaphore that was never signalled.
///
/// ## Definition
///
/// A semaphore whose creation is in the trace was never signalled, and a thread waited for it for at least 250 ms: it
/// still waits at the end of the trace, or its wait timed out. Semaphores created in one place are one finding. If the
/// thread still waits in an item of a queue of the program, the finding names the queue, because a signal from code on
/// that queue may wait behind this wait. A wait of the main thread does not count when other items began after its
/// begin: some programs keep the main thread waiting forever.
///
/// ```
///   thread   wait ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
///   others         ── no signal, ever ──
/// ```
///
/// ## Thresholds
///
/// - wait = 250ms: The shortest wait of the thread. Answers over a network take about 10 to 100 ms.
///
/// ## Why it matters
///
/// The thread is lost, with all work behind it. When it is a worker, its pool has one worker less.
///
/// ## What it cannot see
///
/// A signal after the end of the trace. Where events are missing up to the end of the trace, the signal may be among
/// them, and nothing is reported. Semaphores other than libdispatch's.
///
/// ## Advice
///
/// Signal on every path, including errors. Better, do not block: take the result in a completion handler or with
/// `await`.
///
/// ## Source
///
/// `dispatch_semaphore_create(3)`: a wait "waits for a signal to occur before returning".
public struct SemaphoreNeverSignalled: Detector {
    public static let id = "semaphore-never-signalled"
    public static let title = "A thread waits on a semaphore that was never signalled"
    public static let follows: ObservationKinds = [.items, .blockedWaits, .lockAcquisitions]

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(250))
    public static let thresholds: [any ThresholdDeclaration] = [wait]

    private let wait: Nanoseconds
    private var cases = MistakeGroups()
    private var waits: [BlockedWait] = []
    private var keepAlive = MainThreadKeepAlive()

    /// Most waits kept. More are not needed as proof.
    private static let limit = 4096

    public init(thresholds: Thresholds) { wait = thresholds[Self.wait] }

    public var wanted: ItemTraits { [] }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { keepAlive.observe(sumsOf: batch) }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .acquisition(let acquisition): keepAlive.observe(acquisition)
        case .blockedWait(let blocked):
            guard case .semaphore = blocked.object, blocked.timedOut || !blocked.isFinished,
                blocked.end - blocked.begin >= wait, waits.count < Self.limit
            else { return }
            waits.append(blocked)
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.hasOpenEnd else { return [] }
        let semaphores = Dictionary(grouping: model.semaphores, by: \.id)
        for blocked in waits where !keepAlive.explains(blocked) {
            guard case .semaphore(let id) = blocked.object,
                let semaphore = semaphores[id]?.last(where: { $0.createdAt <= blocked.begin }),
                semaphore.firstValue != nil, semaphore.signals == 0
            else { continue }
            let waited = blocked.end - blocked.begin
            let key = MistakeGroups.Key(subject: "semaphore", code: semaphore.creationCode)
            let queue = blocked.waiter.flatMap { item in
                model.waitForGraph.running.first { $0.item == item && model[$0.queue].kind != .global }?.queue
            }
            cases.add(key, at: blocked.begin, queue: queue, codes: [blocked.code], cost: waited) {
                .init(
                    time: blocked.begin, thread: blocked.thread, event: "semaphore_wait_begin",
                    detail: "\(model.name(of: blocked.thread)) waited \(waited)"
                        + "\(blocked.isFinished ? ", then timed out," : " and still waits")"
                        + "\(model.place(of: blocked.code)).")
            }
        }
        return cases.groups.map { group in
            let queue = group.queues.elements.first.map { model.name(of: $0) }
            let advice = Advice(
                .balanceCalls, "Signal the semaphore\(group.making(in: model)) on every path that its waiter relies ",
                "on, including errors, or pass the result to a completion handler instead of blocking for it.")
            return group.finding(
                Self.id, .warning,
                summary: "The semaphore\(group.making(in: model)) was never signalled, and "
                    + "\(Figures.plural(group.count, "wait")) for it \(group.count == 1 ? "was" : "were") never "
                    + "satisfied, for up to \(group.longest).",
                measures: [.duration("longest wait", group.longest)],
                advice: queue.map {
                    advice.adding("A signal from code on \($0, .queue) may wait behind this wait.")
                } ?? advice)
        }
    }
}
