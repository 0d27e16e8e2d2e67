import DispatchAnalysis
import DispatchModel

/// Waiting time as folded stacks, for flame graphs: a line for each kind of wait, with its microseconds.
///
/// ```
///   Store.save() (News/Store.swift:42);news.state;own backlog 41233
///   Loader.run() (News/Loader.swift:12);semaphore 902
/// ```
///
/// The first frame is the code that waited; then come the queues that its item had to pass, the root queue first, and the
/// part of the wait; for a thread that waited outside of queues, what it waited for. Lines below a microsecond are left out.
public final class FoldedStacks: TraceExporter {
    private var tally = WaitTally()

    public var followed: ObservationKinds { WaitTally.follows }

    /// An exporter that has seen nothing yet.
    public init() {}

    public func observe(_ observation: Observation, in model: DispatchModel) { tally.observe(observation) }

    public func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws {
        var weights: [String: Int64] = [:]
        for (key, sum) in tally.sums {
            weights[Self.frames(key, in: analysis.model).map(Self.frame).joined(separator: ";"), default: 0] +=
                sum.time.count
        }
        for (stack, weight) in weights.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) where weight >= 1_000 {
            try sink(Array("\(stack) \(weight / 1_000)\n".utf8))
        }
    }

    private static func frames(_ key: WaitTally.Key, in model: DispatchModel) -> [String] {
        let code = CodeName.of(key.code, in: model, symbols: SymbolTable(images: model.images))
        var queues: [String] = []
        var next = key.queue
        // A damaged trace can describe a cycle of targets.
        while let queue = next, queues.count < 16 {
            queues.insert(LabelPattern.of(QueueName.of(queue, in: model)), at: 0)
            next = model[queue].target
        }
        return [code] + queues + [QueuesSection.words(key.cause)]
    }

    /// A semicolon separates frames, and the last space the weight.
    private static func frame(_ text: String) -> String { text.replacing(";", with: ",") }
}
