import DispatchModel

/// The iterations of a concurrentPerform do not fill the processors.
///
/// ## Definition
///
/// Of a `concurrentPerform` that took time T on P processors (the number of iterations, when that is less), P × T
/// could have been used, and the iterations used B of it. *Efficiency* is B / (P × T), and (P × T − B) / P is lost.
/// P is what affinity, cpuset and CFS quota leave of the machine. Processors that are busy with other programs are
/// not lost: of P × T that time is taken away in which a worker had been asked for and had not come, and more than
/// 100 µs between two iterations of a thread, which would have gone on had it had a processor. The time in which the
/// call waited for its last iteration, and that for its processor, does not count. Where context switches were
/// recorded, the time for which iterations waited for something, such as a lock, does not count either: it is neither
/// used nor lost, and is taken off their lengths. Nor does the time for which the call waited for its last thread
/// only because it had waited itself.
///
/// A call is *lopsided* when its longest iteration took at least 1.5 × the median, and an iteration by itself a tenth
/// of the call: nobody could take over from the thread that was behind, and what the longest took beyond the median is
/// lost but for its share, 1 / P, and for what the other threads evened out: no more is lost than the busiest thread
/// ran beyond the average. By itself means without the time in which other threads had its processor, where context
/// switches were recorded: small iterations need not be cut further because the machine is busy.
///
/// Calls of the same code are reported when together they have an efficiency below 85 %, or the lopsided ones lost that
/// much, when at least 10 ms are lost in all, and 1 ms in one call.
///
/// ```
///   thread 1  ├──── 1 ────┤├──── 3 ────┤
///   thread 2  ├──── 2 ────┤ ········idle           3 iterations on 2 processors: 75 %
///             ├───────────T────────────┤
/// ```
///
/// The *idle tail* is the time between the end of the last iteration of a thread and that of the call; the *imbalance*
/// is the busiest thread's time over the average.
///
/// ## Thresholds
///
/// - efficiency = 85%: Calls below it are reported. Three iterations on two processors have 75 %, eleven have 92 %; the
///   last iterations of a call never end all at once.
/// - longest = 150%: The longest iteration of a lopsided call over the median. On a processor that is shared with
///   something else, an iteration takes twice as long.
/// - part = 10%: The longest iteration's part of a lopsided call. With small parts the others even it out.
/// - lost = 10ms: The least time lost in all calls together.
/// - call = 1ms: The least time lost in one call. Starting the threads takes some 10 µs each, in every call.
///
/// ## Why it matters
///
/// The caller waits for the slowest thread. With as many iterations as processors, one processor that has something
/// else to do doubles the time; with a thousand, the others take over its share.
///
/// ## What it cannot see
///
/// What a processor did for others during an iteration: one that had to wait for it counts as busy. A worker that
/// loses its processor before its first iteration of a call, or after its last, counts as idle when it does not come
/// back.
/// Iterations of a concurrentPerform within another share the processors.
///
/// ## Advice
///
/// Some 1000 iterations, or a stride that makes them, of at least 20 µs each: small enough to even out, long enough to
/// be worth handing out.
///
/// ## Source
///
/// "Iteration count" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): three iterations,
/// eleven, and a thousand with one busy core.
public struct UnevenConcurrentPerform: Detector {
    public static let id = "uneven-concurrent-perform"
    public static let title = "The iterations of a concurrentPerform do not fill the processors"
    public static let follows: ObservationKinds = [.applies, .applyIterations]

    private static let efficiency = Threshold("efficiency", Share(percent: 85), .most)
    private static let longest = Threshold("longest", Share(percent: 150))
    private static let part = Threshold("part", Share(percent: 10))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let call = Threshold("call", Nanoseconds.milliseconds(1))
    public static let thresholds: [any ThresholdDeclaration] = [efficiency, longest, part, lost, call]

    private let limits: Thresholds
    /// The calls that have not returned.
    private var open: [UInt64: ApplyThreads] = [:]
    private var codes: [CodeIndex: ApplyCalls] = [:]

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .applyIteration(let iteration): open[iteration.apply, default: ApplyThreads()].add(iteration)
        case .apply(let call):
            let threads = open.removeValue(forKey: call.id) ?? ApplyThreads()
            // Of a thread whose iterations are all missing it would seem that it was idle.
            let isWhole = call.threads == 0 || threads.all.count >= call.threads
            guard call.isFinished, call.iterations > 1, !threads.all.isEmpty, isWhole, !threads.isMostlyBlocked
            else { return }
            codes[call.code, default: ApplyCalls()].add(
                call, threads, processors: model.processors, lopsidedFrom: limits[Self.longest],
                part: limits[Self.part])
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        codes.sorted { $0.key < $1.key }.compactMap { code, calls in
            let isInefficient = calls.efficiency < limits[Self.efficiency].fraction
            let tally = isInefficient ? calls.all : calls.lopsided
            guard tally.count > 0, tally.cost >= limits[Self.lost], tally.worst >= limits[Self.call] else { return nil }
            return Self.finding(code, calls, tally, in: model)
        }
    }
}

// MARK: - Texts

extension UnevenConcurrentPerform {
    private static let shortIteration = Nanoseconds.microseconds(20)
    private static let goodIterations = 1000

    private static func finding(
        _ code: CodeIndex, _ calls: ApplyCalls, _ tally: CaseStatistics<ApplyCalls.Call>, in model: DispatchModel
    ) -> Finding {
        let place = model.place(of: code)
        let percent = Figures.percent(calls.efficiency)
        let times = tally.count == 1 ? "" : " (\(Figures.count(tally.count)) calls)"
        return Finding(
            detector: id, severity: .warning,
            summary: "concurrentPerform\(place)\(times) uses \(percent) of the processors it could: "
                + "\(Figures.plural(calls.iterationsPerCall, "iteration")) of \(calls.averageIteration) on "
                + "\(Figures.plural(calls.processors, "processor")), the longest \(calls.longestIteration); \(tally.cost) lost.",
            queues: calls.queues.elements, begin: tally.begin, end: tally.end, cost: tally.cost,
            occurrences: tally.count,
            measures: [
                ("calls", Figures.count(calls.all.count)), ("lopsided calls", Figures.count(calls.lopsided.count)),
                ("iterations per call", Figures.count(calls.iterationsPerCall)),
                ("average iteration", "\(calls.averageIteration)"), ("longest iteration", "\(calls.longestIteration)"),
                ("efficiency", percent), ("worst imbalance", "\(Figures.percent(calls.imbalance)) of the average"),
                ("idle tail", "\(calls.idleTail)"), ("time lost", "\(tally.cost)"),
            ],
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }.map { call in
                Evidence(
                    time: call.begin, thread: call.thread, event: "apply_begin",
                    detail: "\(Figures.plural(call.iterations, "iteration")) on "
                        + "\(Figures.plural(call.threads, "thread")) take \(call.length), and use "
                        + "\(call.busy) of \(call.available).")
            },
            code: [code].filter { $0 != .unknown }, advice: advice(place, calls))
    }

    private static func advice(_ place: String, _ calls: ApplyCalls) -> String {
        if calls.averageIteration < shortIteration {
            let stride = Int((shortIteration.count / max(1, calls.averageIteration.count)) + 1)
            return "Give each iteration\(place) more to do: \(Figures.count(stride)) of the present ones in a loop "
                + "would take at least \(shortIteration)."
        }
        let perProcessor = calls.iterationsPerCall / max(1, calls.processors)
        if perProcessor < goodIterations / 10 {
            return "Split the work\(place) into more iterations, some \(Figures.count(goodIterations)) of at least "
                + "\(shortIteration), instead of \(Figures.count(calls.iterationsPerCall)): threads that are ready "
                + "early then take over from those that are not."
        }
        return "Make the iterations\(place) more alike: the longest takes \(calls.longestIteration), the average "
            + "\(calls.averageIteration)."
    }
}
