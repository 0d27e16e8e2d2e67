import Foundation

/// One load, run by a program that is recorded and by one that is not.
struct Comparison {
    let load: String
    let title: String
    let rounds: Int
    /// How often the two are started: where a process lies in memory, and how its threads come to share the processors,
    /// changes its times for as long as it lives.
    let pairs: Int
    /// What the ratio may be at most; nil for a part of another comparison.
    let budget: Double?
    var recording = Recording.whole
    /// A library that is preloaded into both, after the one that records.
    var companion: String?

    /// How much of the recording takes place.
    enum Recording {
        case whole
        /// All but the context switches.
        case withoutSwitches
        /// The object is preloaded, and does not record.
        case none
        /// Nothing of ours: perf records the context switches, and nothing else.
        case switchesByPerf
    }

    /// Whether everything that it needs is installed.
    var isPossible: Bool { recording != .switchesByPerf || Self.perf != nil }

    private static let perf = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/perf" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The median of each pair's rounds.
    struct Result {
        var plain: [OperationCost] = []
        var recorded: [OperationCost] = []

        /// Recorded against not recorded, pair for pair.
        func ratios(_ time: KeyPath<OperationCost, Double>) -> [Double] {
            zip(recorded, plain).map { $0[keyPath: time] / $1[keyPath: time] }
        }
    }

    /// Runs all pairs: the two of a pair at the same time, a round of the one, then a round of the other.
    ///
    /// - Throws: ``LoadError`` when a program fails, or nothing was recorded.
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

    /// Starts the program so that it is recorded.
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

    /// What is there when something was recorded.
    private func product(_ trace: String) -> String { recording == .switchesByPerf ? trace : trace + "/metadata" }

    private static let warmUp = 10

    private static func median(of times: [OperationCost]) -> OperationCost {
        OperationCost(
            wall: median(times.map(\.wall)), processors: median(times.map(\.processors)),
            allocations: median(times.map(\.allocations)))
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
