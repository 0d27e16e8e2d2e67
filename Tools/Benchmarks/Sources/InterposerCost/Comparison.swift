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

    /// How much of the recording takes place.
    enum Recording {
        case whole
        /// All but the context switches.
        case withoutSwitches
        /// The object is preloaded, and does not record.
        case none
    }

    /// The median of each pair's rounds.
    struct Result {
        var plain: [OperationTime] = []
        var recorded: [OperationTime] = []

        /// Recorded against not recorded, pair for pair.
        func ratios(_ time: KeyPath<OperationTime, Double>) -> [Double] {
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
            let plain = try LoadProcess(program: program, load: load, environment: environment)
            var recording = ["LD_PRELOAD": preload]
            if self.recording != .none {
                recording["QUEUESCOPE_TRACE"] = trace
                recording["QUEUESCOPE_LIMIT"] = "2000000000"
            }
            if self.recording == .withoutSwitches { recording["QUEUESCOPE_PROCESSORS"] = "0" }
            let recorded = try LoadProcess(
                program: program, load: load, environment: environment.merging(recording) { $1 })
            var first: [OperationTime] = []
            var second: [OperationTime] = []
            for round in 0..<rounds + Self.warmUp {
                for process in round % 2 == 0 ? [plain, recorded] : [recorded, plain] {
                    let time = try process.round()
                    if round < Self.warmUp { continue }
                    if process === plain { first.append(time) } else { second.append(time) }
                }
            }
            plain.stop()
            recorded.stop()
            guard self.recording == .none || FileManager.default.fileExists(atPath: trace + "/metadata")
            else {
                throw LoadError(message: "nothing was recorded into \(trace)")
            }
            result.plain.append(Self.median(of: first))
            result.recorded.append(Self.median(of: second))
        }
        return result
    }

    private static let warmUp = 10

    private static func median(of times: [OperationTime]) -> OperationTime {
        OperationTime(wall: median(times.map(\.wall)), processors: median(times.map(\.processors)))
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
