import Foundation

/// A load that is run by a recorded and by an unrecorded process.
struct Comparison {
    let load: String
    let title: String
    let rounds: Int
    /// Number of process pairs. The memory layout of a process and the assignment of its threads to processors affect
    /// its times for its whole life.
    let pairs: Int
    /// Highest allowed ratio; nil for a part of another comparison.
    let budget: Double?
    var recording = Recording.whole
    /// A library that is preloaded into both processes, after the recording library.
    var companion: String?

    /// The parts of the recording that are active.
    enum Recording {
        case whole
        /// Everything except the context switches.
        case withoutSwitches
        /// The object is preloaded and does not record.
        case none
        /// Without Queuescope: only perf runs, and records the context switches.
        case switchesByPerf
    }

    /// Whether the required tools are installed.
    var isPossible: Bool { recording != .switchesByPerf || Self.perf != nil }

    private static let perf = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/perf" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The median of the rounds of each pair.
    struct Result {
        var plain: [OperationCost] = []
        var recorded: [OperationCost] = []

        /// Recorded time divided by unrecorded time, for each pair.
        func ratios(_ time: KeyPath<OperationCost, Double>) -> [Double] {
            zip(recorded, plain).map { $0[keyPath: time] / $1[keyPath: time] }
        }
    }

    /// Runs all pairs. The two processes of a pair exist at the same time and run their rounds alternately.
    ///
    /// - Throws: ``LoadError`` when a program fails, or when nothing was recorded.
    func run(_ program: String, preload: String, environment: [String: String]) throws -> Result {
        var result = Result()
        for pair in 0..<pairs {
            let trace = NSTemporaryDirectory() + "/queuescope-cost-\(getpid())-\(load)-\(pair)"
            defer { try? FileManager.default.removeItem(atPath: trace) }
            let preloaded = companion.map { ["LD_PRELOAD": $0] } ?? [:]
            let plain = try LoadProcess([program, load], environment: environment.merging(preloaded) { $1 })
            let recorded = try start(program, preload: preload, trace: trace, environment: environment)
            var first: [OperationCost] = []
            var second: [OperationCost] = []
            for round in 0..<rounds + Self.warmUp {
                for process in round % 2 == 0 ? [plain, recorded] : [recorded, plain] {
                    let time = try process.round()
                    if round < Self.warmUp { continue }
                    if process === plain { first.append(time) } else { second.append(time) }
                }
            }
            plain.stop()
            recorded.stop()
            guard recording == .none || FileManager.default.fileExists(atPath: product(trace)) else {
                throw LoadError(message: "nothing was recorded into \(trace)")
            }
            result.plain.append(Self.median(of: first))
            result.recorded.append(Self.median(of: second))
        }
        return result
    }

    /// Starts the recorded process.
    private func start(
        _ program: String, preload: String, trace: String, environment: [String: String]
    ) throws -> LoadProcess {
        if recording == .switchesByPerf, let perf = Self.perf {
            let arguments = ["record", "--quiet", "--event", "dummy:u", "--switch-events", "--output", trace]
            return try LoadProcess([perf] + arguments + ["--", program, load], environment: environment)
        }
        var variables = ["LD_PRELOAD": ([preload] + (companion.map { [$0] } ?? [])).joined(separator: ":")]
        if recording != .none {
            variables["QUEUESCOPE_TRACE"] = trace
            variables["QUEUESCOPE_LIMIT"] = "2000000000"
        }
        if recording == .withoutSwitches { variables["QUEUESCOPE_PROCESSORS"] = "0" }
        return try LoadProcess([program, load], environment: environment.merging(variables) { $1 })
    }

    /// A file that exists if something was recorded.
    private func product(_ trace: String) -> String { recording == .switchesByPerf ? trace : trace + "/metadata" }

    private static let warmUp = 10

    private static func median(of times: [OperationCost]) -> OperationCost {
        OperationCost(
            wall: median(times.map(\.wall)), processors: median(times.map(\.processors)),
            allocations: median(times.map(\.allocations)))
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
