import Foundation
import Scenarios

/// How the evaluator produces a recording under a field condition.
///
/// Some conditions change how the program runs, so the program is recorded again. The others remove or move events of a
/// recording, and are derived from the recording on the quiet machine.
extension FieldCondition {
    /// Whether the condition is derived from the quiet recording.
    var isDerived: Bool {
        switch self {
        case .lostOne, .lostTwenty, .middle, .quietHour: true
        case .quiet, .oneProcessor, .quota, .saturated, .manyQueues, .otherDomain: false
        }
    }

    /// Whether event records are missing. Then a finding may be wrong if it has a caveat.
    var hasLosses: Bool { self == .lostOne || self == .lostTwenty }

    /// The variant to record under this condition.
    func variant(of run: ScenarioRun) -> ScenarioRun {
        ScenarioRun(
            type(of: run.scenario), seed: run.seed, repaired: run.repaired,
            domain: self == .otherDomain ? .warehouse : run.variation.domain,
            otherQueues: self == .manyQueues ? 10_000 : run.otherQueues)
    }

    /// Runs a closure in the environment of the condition.
    ///
    /// - Parameter body: gets a command line to prepend to the program's command line.
    func withSurroundings<Result>(_ body: (_ launcher: [String]) throws -> Result) rethrows -> Result {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        switch self {
        case .oneProcessor:
            return try body(["/usr/bin/taskset", "--cpu-list", Self.allowedProcessor])
        case .quota:
            if let quota = ProcessorQuota(processors: Double(processors) / 2) { return try body(quota.launcher) }
            // Without control groups, competing threads take half of the time, in periods as long as the kernel's.
            let competition = Competition(threads: 4 * processors, share: 0.5)
            defer { competition.end() }
            return try body([])
        case .saturated:
            let competition = Competition(threads: 2 * processors, share: 1)
            defer { competition.end() }
            return try body([])
        case .quiet, .lostOne, .lostTwenty, .middle, .quietHour, .manyQueues, .otherDomain:
            return try body([])
        }
    }

    /// The last processor that this process may use. The first one handles most of the system's interrupts.
    private static var allowedProcessor: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        // For example 0-3,6.
        return status.firstMatch(of: /Cpus_allowed_list:.*?([0-9]+)\n/).map { String($0.1) } ?? "0"
    }
}

/// A trace that was derived from a recording, and the records that it lacks.
struct DerivedTrace {
    /// Its directory. The caller that derived the trace removes it.
    let directory: URL
    /// Whether a record is missing. Records are identified by thread and by nanoseconds since the recording's first
    /// event.
    let lacks: (_ nanoseconds: Int64, _ tid: UInt32) -> Bool
    /// Time from which the trace is complete, in nanoseconds since the recording's first event; 0 for the whole trace.
    private(set) var begin: Int64 = 0
    /// The threads of which the trace has no records.
    let lostThreads: Set<UInt32>
}

extension DerivedTrace {
    /// Derives a trace.
    ///
    /// - Parameters:
    ///   - condition: a derived condition.
    ///   - trace: the recording on the quiet machine.
    ///   - ending: how the program ended.
    ///   - seed: selects the records that are lost.
    ///   - directory: the directory of the derived trace, which must not exist.
    /// - Throws: ``RecordedTrace/Failure``, and errors of reading and writing files.
    init(
        _ condition: FieldCondition, of trace: RecordedTrace, ending: Ending, seed: UInt64, directory: URL
    ) throws {
        var derived = trace
        let clock = TraceClock(trace)
        switch condition {
        case .lostOne, .lostTwenty:
            let lost = derived.lose(condition == .lostOne ? 0.01 : 0.2, seed: seed)
            lacks = { nanoseconds, tid in
                let times = clock.ticks(around: nanoseconds)
                return lost.times[tid].map { times.contains(where: $0.contains) } ?? false
            }
        case .middle:
            let middle = trace.middle ?? 0
            derived.overwrite(before: middle)
            lacks = { nanoseconds, _ in clock.ticks(at: nanoseconds) < middle }
            begin = clock.nanoseconds(at: middle)
        case .quietHour:
            let isStuck = ending == .gaveUp
            try derived.embedInQuiet(goesOn: isStuck || (ending == .success && !trace.endsInItem))
            lacks = { _, _ in false }
        case .quiet, .oneProcessor, .quota, .saturated, .manyQueues, .otherDomain:
            lacks = { _, _ in false }
        }
        lostThreads = trace.owners.subtracting(derived.owners)
        try derived.write(to: directory)
        self.directory = directory
    }
}

extension RecordedTrace {
    /// The threads that have records.
    fileprivate var owners: Set<UInt32> { Set(streams.flatMap(\.packets).flatMap(\.records).map(\.owner)) }
}

/// Converts times of an analysis to values of the trace's clock.
struct TraceClock {
    private let origin: UInt64
    private let frequency: UInt64

    init(_ trace: RecordedTrace) {
        origin = trace.streams.compactMap { $0.packets.first?.records.first?.time }.min() ?? 0
        frequency = trace.frequency
    }

    func nanoseconds(at ticks: UInt64) -> Int64 {
        Int64(Double(ticks - min(origin, ticks)) * 1e9 / Double(frequency))
    }

    /// The clock values from which the analysis may have computed this time, which it rounds down to nanoseconds.
    func ticks(around nanoseconds: Int64) -> ClosedRange<UInt64> {
        ticks(at: nanoseconds - 1)...ticks(at: nanoseconds + 2)
    }

    func ticks(at nanoseconds: Int64) -> UInt64 {
        origin + UInt64(max(0, (Double(nanoseconds) * Double(frequency) / 1e9).rounded()))
    }
}
