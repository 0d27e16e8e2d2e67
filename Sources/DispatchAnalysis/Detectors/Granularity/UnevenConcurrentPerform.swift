import DispatchModel

/// The iterations of a concurrentPerform do not fill the processors.
///
/// ## Definition
///
/// For a `concurrentPerform` that took time T on P processors (the number of iterations, when that is less), a
/// processor time of P × T was available, and the iterations used B of it. *Efficiency* is B / (P × T). The lost time
/// is (P × T − B) / P. P is the number of processors that affinity, cpuset and CFS quota leave to the process. The
/// following times do not count as available:
///
/// - A worker was requested and had not arrived, because its processor was busy with other programs.
/// - More than 100 µs passed between two iterations of a thread, which would have continued if it had been on a
///   processor.
/// - The call waited for its last iteration only because that iteration was preempted.
/// - Where context switches were recorded: an iteration was blocked, for example by a lock. This time is subtracted
///   from the length of the iteration.
/// - Where context switches were recorded: the call waited for its last thread only because that thread had been
///   blocked.
///
/// A call is *lopsided* when its longest iteration took at least 1.5 × the median, and an iteration by itself took at
/// least a tenth of the call. No other thread can take over from the thread that runs it. The excess of the longest
/// iteration over the median is lost, except for its share of 1 / P, and at most the time that the busiest thread ran
/// beyond the average. The other threads compensate for the rest. "By itself" means without preempted time, where
/// context switches were recorded: small iterations need not be split because the machine is busy.
///
/// Calls of the same code are reported when their efficiency in all is below 85 %, or when some of them are lopsided.
/// In both cases, at least 10 ms must be lost in all, and 1 ms in one call.
///
/// ```
///   thread 1  ├──── 1 ────┤├──── 3 ────┤
///   thread 2  ├──── 2 ────┤ ········idle           3 iterations on 2 processors: 75 %
///             ├───────────T────────────┤
/// ```
///
/// The *idle tail* is the time between the end of the last iteration of a thread and the end of the call. The
/// *imbalance* is the run time of the busiest thread over the average.
///
/// ## Thresholds
///
/// - efficiency = 85%: Calls below it are reported. Three iterations on two processors reach 75 %, eleven reach 92 %.
///   The last iterations of a call never end at the same time.
/// - longest = 150%: The longest iteration of a lopsided call over the median. On a processor that is shared with
///   another program, an iteration takes twice as long.
/// - part = 10%: The share of the longest iteration in a lopsided call. Other threads compensate for smaller
///   iterations.
/// - lost = 10ms: The least time lost in all calls together.
/// - call = 1ms: The least time lost in one call. Starting the threads takes about 10 µs each, in every call.
///
/// ## Why it matters
///
/// The caller waits for the slowest thread. With as many iterations as processors, one processor that is busy with
/// other work doubles the time. With a thousand iterations, the other processors take over its share.
///
/// ## What it cannot see
///
/// Work of other programs on the processor of an iteration: an iteration that waits for its processor counts as busy. A
/// worker that is preempted before its first iteration of a call, or after its last one, counts as idle when it does
/// not return. Iterations of a concurrentPerform inside another one share the processors.
///
/// ## Advice
///
/// Use about 1000 iterations of at least 20 µs each, or a stride that makes them: short enough to balance the load, and
/// long enough to be worth the distribution.
///
/// ## Source
///
/// "Iteration count" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): three iterations,
/// eleven, and a thousand with one busy core.
public struct UnevenConcurrentPerform: Detector {
    public static let id = "uneven-concurrent-perform"
    public static let title = "The iterations of a concurrentPerform do not fill the processors"
    public static let follows: ObservationKinds = [.applies, .applyIterations]
    public static let focus = FindingFocus(
        callout: .idleThread, hint: "Each bar is an iteration. A thread without a bar has run out of iterations.")

    private static let efficiency = Threshold("efficiency", Share(percent: 85), .most)
    private static let longest = Threshold("longest", Share(percent: 150))
    private static let part = Threshold("part", Share(percent: 10))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    private static let call = Threshold("call", Nanoseconds.milliseconds(1))
    public static let thresholds: [any ThresholdDeclaration] = [efficiency, longest, part, lost, call]

    private let limits: Thresholds
    /// The iterations of the calls that have not returned.
    private var open: [UInt64: ApplyThreads] = [:]
    private var codes: [CodeIndex: ApplyCalls] = [:]

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .applyIteration(let iteration): open[iteration.apply, default: ApplyThreads()].add(iteration)
        case .apply(let call):
            let threads = open.removeValue(forKey: call.id) ?? ApplyThreads()
            // A thread whose iterations are all missing would count as idle.
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
            summary: "concurrentPerform\(place)\(times) uses \(percent) of the available processor time: "
                + "\(Figures.plural(calls.iterationsPerCall, "iteration")) of \(calls.averageIteration) on "
                + "\(Figures.plural(calls.processors, "processor")), the longest \(calls.longestIteration); "
                + "\(tally.cost) lost.",
            queues: calls.queues.elements, begin: tally.begin, end: tally.end, cost: tally.cost,
            occurrences: tally.count,
            measures: [
                .count("calls", calls.all.count), .count("lopsided calls", calls.lopsided.count),
                .count("iterations per call", calls.iterationsPerCall),
                .duration("average iteration", calls.averageIteration),
                .duration("longest iteration", calls.longestIteration),
                .share("efficiency", calls.efficiency),
                Measure("worst imbalance", "\(.share(calls.imbalance)) of the average"),
                .duration("idle tail", calls.idleTail), .duration("time lost", tally.cost),
            ],
            evidence: tally.costliest.elements.sorted { $0.begin < $1.begin }.map { call in
                Evidence(
                    time: call.begin, thread: call.thread, event: "apply_begin",
                    detail: "\(Figures.plural(call.iterations, "iteration")) on "
                        + "\(Figures.plural(call.threads, "thread")) take \(call.length), and use "
                        + "\(call.busy) of \(call.available).")
            },
            code: [code], advice: advice(place, calls))
    }

    private static func advice(_ place: CodePlace, _ calls: ApplyCalls) -> Advice {
        if calls.averageIteration < shortIteration {
            let stride = Int((shortIteration.count / max(1, calls.averageIteration.count)) + 1)
            return Advice(
                .batchWork, "Give each iteration\(place) more work: a loop over \(stride) of the present iterations ",
                "takes at least \(shortIteration).")
        }
        let perProcessor = calls.iterationsPerCall / max(1, calls.processors)
        if perProcessor < goodIterations / 10 {
            return Advice(
                .splitWork, "Split the work\(place) into more iterations, about \(goodIterations) of at least ",
                "\(shortIteration), instead of \(calls.iterationsPerCall): threads that finish early then take over ",
                "iterations of the slower threads.")
        }
        return Advice(
            .splitWork, "Make the iterations\(place) more even: the longest takes \(calls.longestIteration), the ",
            "average \(calls.averageIteration).")
    }
}
