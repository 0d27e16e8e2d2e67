import DispatchAnalysis
import DispatchModel

/// Waiting time as folded stacks, for flame graphs: a line for each kind of wait, with its microseconds.
///
/// ```
///   Store.load() (News/Store.swift:42);news.state;own backlog;Store.save() (News/Store.swift:57) 41233
///   Loader.run() (News/Loader.swift:12);semaphore;Socket.read() (News/Socket.swift:9) 902
/// ```
///
/// The first frame is the code that waited; then come the queues that its item had to pass, the root queue first, and
/// the part of the wait; for a thread that waited outside of queues, what it waited for. The last frame is the code
/// that it waited for (``BlameMatrix``), where there is one and it is known: what the items of one code waited behind
/// others is shared out in proportion to how long each of these kept that code waiting. Lines below a microsecond are
/// left out.
public final class FoldedStacks: TraceExporter {
    private var tally = WaitTally()

    public var followed: ObservationKinds { WaitTally.follows }

    /// An exporter that has seen nothing yet.
    public init() {}

    public func observe(_ observation: Observation, in model: DispatchModel) { tally.observe(observation) }

    public func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws {
        let blame = BlameShares(analysis.blame)
        var weights: [String: Int64] = [:]
        for (key, sum) in tally.sums {
            let frames = Self.frames(key, in: analysis.model)
            for (blamed, time) in blame.shares(of: sum.time, key) {
                let last = blamed == .unknown ? [] : [Self.name(blamed, in: analysis.model)]
                weights[(frames + last).map(Self.frame).joined(separator: ";"), default: 0] += time.count
            }
        }
        for (stack, weight) in weights.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) where weight >= 1_000 {
            try sink(Array("\(stack) \(weight / 1_000)\n".utf8))
        }
    }

    private static func name(_ code: CodeIndex, in model: DispatchModel) -> String {
        CodeName.of(code, in: model, symbols: SymbolTable(images: model.images))
    }

    private static func frames(_ key: WaitTally.Key, in model: DispatchModel) -> [String] {
        var queues: [String] = []
        var next = key.queue
        // A damaged trace can describe a cycle of targets.
        while let queue = next, queues.count < 16 {
            queues.insert(QueueName.pattern(of: queue, in: model), at: 0)
            next = model[queue].target
        }
        return [name(key.code, in: model)] + queues + [QueuesSection.words(key.cause)]
    }

    /// A semicolon separates frames, and the last space the weight.
    private static func frame(_ text: String) -> String { text.replacing(";", with: ",") }
}
