import DispatchModel

/// A readers–writer queue costs more in waiting than it gains in parallel reading, or keeps its writers waiting.
///
/// ## Definition
///
/// A private concurrent queue with barriers (writers) and other items (readers), at least 20 items in all, is reported
/// when one of the first three conditions holds. A wait of at least 100 ms for the other kind that takes 250 ms or 10 %
/// of the recording is reported for any number of items.
///
/// - *Writers prevail*: at least half of the items are barriers.
/// - *Waits outweigh work*: the waits that barriers cause, of readers behind a writer and of writers behind readers,
///   add up to at least 10 ms and to more than the run time of all items.
/// - *A writer starves*: a writer waited at least 100 ms for readers to finish.
/// - *A writer holds up a reader*: a reader waited at least 100 ms for a writer, and this is 250 ms or 10 % of the
///   recording.
///
/// ```
///   readers   ███ ██ ████░░░░░░░░░██ ███
///   writer            ░░░▓▓▓▓▓▓▓▓▓           ░ waits for the other kind
/// ```
///
/// ## Thresholds
///
/// - items = 20: The least number of items for which shares are meaningful. The number does not apply to a writer or a
///   reader that waited at least 250 ms or 10 % of the recording.
/// - writers = 50%: The share of barriers from which little can run in parallel.
/// - waits = 10ms: The least sum of the waits because of barriers. A smaller sum has no noticeable effect.
/// - starved = 100ms: The wait of a writer for readers from which it starves, and the shortest wait of a reader for a
///   writer that is reported alone.
///
/// ## Why it matters
///
/// A barrier waits until all readers have finished, and all later items wait for the barrier. Where writers are
/// frequent or readers are long, all items wait, and they also pay for the bookkeeping of a concurrent queue and its
/// threads.
///
/// ## What it cannot see
///
/// The cost of a different lock. Readers–writer locks of other libraries, such as `pthread_rwlock_t`.
///
/// ## Advice
///
/// For many or short writers, use a serial queue, or a lock around the state. For long readers, copy the state under a
/// short lock, and read the copy. For a long writer, prepare the new state before the barrier, and only store it in the
/// barrier.
///
/// ## Source
///
/// Courtois, Heymans and Parnas, "Concurrent Control with 'Readers' and 'Writers'", 1971; barriers in
/// `dispatch_barrier_async(3)`.
public struct ReadersWriter: Detector {
    public static let id = "readers-writer"
    public static let title = "A readers–writer queue costs more than it gains, or starves its writers"
    public static let follows: ObservationKinds = .items
    public static let focus = FindingFocus(
        .barriers, callout: .barrierWait,
        hint: "A bar with bold ends is a barrier: it runs alone. Hatched and amber: readers wait for it, or it waits "
            + "for them.")

    private static let items = Threshold("items", 20)
    private static let writers = Threshold("writers", Share(percent: 50))
    private static let waits = Threshold("waits", Nanoseconds.milliseconds(10))
    private static let starved = Threshold("starved", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [items, writers, waits, starved]

    private struct Side {
        var count = 0
        var service = Nanoseconds.zero
        var waits = Nanoseconds.zero
    }

    private struct Usage {
        var readers = Side()
        var writers = Side()
        var begin = Timestamp.distantFuture
        var end = Timestamp.zero
        /// The writer and the reader with the longest wait for the other kind.
        var slowest: [Item?] = [nil, nil]
        var codes = Frequencies<CodeIndex>()

        var count: Int { readers.count + writers.count }
        var waits: Nanoseconds { readers.waits + writers.waits }
        var service: Nanoseconds { readers.service + writers.service }

        func longestWait(ofWriters: Bool) -> Nanoseconds { slowest[ofWriters ? 0 : 1]?.waitParts.barrier ?? .zero }

        mutating func add(_ item: ItemRow) {
            let wait = item.waitParts.barrier
            if item.isBarrier { Self.add(item, wait, to: &writers) } else { Self.add(item, wait, to: &readers) }
            begin = min(begin, item.enqueuedAt)
            end = max(end, item.endedAt)
            let side = item.isBarrier ? 0 : 1
            if wait > slowest[side]?.waitParts.barrier ?? .zero { slowest[side] = item.copy }
            if item.isBarrier { codes.add(item.code) }
        }

        private static func add(_ item: ItemRow, _ wait: Nanoseconds, to side: inout Side) {
            // In a sampled trace, waiting syncs are complete, and other items are not.
            side.count += item.weight
            side.service += Nanoseconds(item.service.count &* Int64(item.weight))
            side.waits += Nanoseconds(wait.count &* Int64(item.weight))
        }
    }

    private let limits: (items: Int, writers: Share, waits: Nanoseconds, starved: Nanoseconds)
    /// By position of the queue; nil for queues that are not private concurrent queues.
    private var usages: [Usage?] = []

    public init(thresholds: Thresholds) {
        limits = (
            thresholds[Self.items], thresholds[Self.writers], thresholds[Self.waits], thresholds[Self.starved]
        )
    }

    public var wanted: ItemTraits { .onConcurrentQueue }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.queueKind == .concurrent else { return }
        let place = item.queue.position
        usages.reach(place, nil)
        if usages[place] == nil { usages[place] = Usage() }
        usages[place]?.add(item)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        usages.indices.compactMap { place in usages[place].flatMap { finding(QueueIndex(place), $0, in: model) } }
    }

    private func finding(_ queue: QueueIndex, _ usage: Usage, in model: DispatchModel) -> Finding? {
        guard usage.writers.count > 0, usage.readers.count > 0 else { return nil }
        let name = model.name(of: queue)
        let share = Double(usage.writers.count) / Double(usage.count)
        let isFrequent = usage.count >= limits.items
        let prevails = isFrequent && share >= limits.writers.fraction
        let outweighs = isFrequent && usage.waits >= limits.waits && usage.waits > usage.service
        let (writer, reader) = (usage.longestWait(ofWriters: true), usage.longestWait(ofWriters: false))
        let starves = writer >= limits.starved && (isFrequent || LargeCase.includes(writer, in: model))
        let holdsUp = reader >= limits.starved && LargeCase.includes(reader, in: model)
        guard prevails || outweighs || starves || holdsUp else { return nil }
        // A reader behind a starving writer waits for the other readers as well, not only for the writer's work.
        let isOfReader = holdsUp && !prevails && !outweighs && (!starves || reader - writer > writer)
        let what =
            outweighs
            ? "waits because of barriers take \(usage.waits), its items \(usage.service)"
            : isOfReader
                ? "a reader waited \(reader) for a writer"
                : starves
                    ? "a writer waited \(writer) for readers to finish"
                    : "\(Figures.percent(share)) of its \(Figures.count(usage.count)) items are barriers, so that "
                        + "little can run in parallel"
        let code = usage.codes.mostFrequent(1).first { $0 != .unknown }
        let writers = code.map { " (mostly \(model[$0].description))" } ?? ""
        let advice =
            isOfReader
            ? Advice(
                .shortenHold, "Prepare the new state of \(name, .queue) before its barrier, and only store it in the ",
                "barrier, so that its readers do not wait for the work of its writers\(writers, .function).")
            : prevails || !starves
                ? Advice(
                    .useSerialQueue, "Make \(name, .queue) a serial queue, or protect its state with a lock: because ",
                    "of its writers\(writers, .function), little can run in parallel.")
                : Advice(
                    .shortenHold, "Copy the state in the readers of \(name, .queue) and work on the copy, so that its ",
                    "writers\(writers, .function) do not wait for long reads.")
        return Finding(
            detector: Self.id, severity: outweighs || starves || holdsUp ? .warning : .info,
            summary: "\(name) is a readers–writer queue: \(what).", queues: [queue], begin: usage.begin, end: usage.end,
            cost: usage.waits, occurrences: usage.writers.count,
            measures: [
                .count("readers", usage.readers.count), .count("writers", usage.writers.count),
                .duration("waits of readers", usage.readers.waits), .duration("waits of writers", usage.writers.waits),
                .duration("time in items", usage.service),
            ],
            evidence: usage.slowest.compactMap { $0 }.sorted { $0.beganAt < $1.beganAt }.map { item in
                Evidence(
                    time: item.beganAt, thread: item.thread, event: item.isBarrier ? "item_barrier" : "item_begin",
                    detail: "A \(item.isBarrier ? "writer" : "reader") waited \(item.waitParts.barrier) for the "
                        + "\(item.isBarrier ? "readers" : "writer"), and ran \(item.service).")
            }, code: code.map { [$0] } ?? [], advice: advice)
    }
}
