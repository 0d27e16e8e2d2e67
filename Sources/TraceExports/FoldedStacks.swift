import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// Exports waiting time as folded stacks for flame graphs: one line per kind of wait, with its microseconds.
///
/// ```
///   Store.load() (News/Store.swift:42);news.state;own backlog;Store.save() (News/Store.swift:57) 41233
///   Loader.run() (News/Loader.swift:12);semaphore;Socket.read() (News/Socket.swift:9) 902
/// ```
///
/// The first frame is the code that waited. For an item, its queues follow, the root queue first, and then the part of
/// the wait. For a thread that waited outside of queues, the kind of object follows. The last frame is the code that it
/// waited for (``BlameMatrix``), if known. The time that items of one code waited for other items is distributed in
/// proportion to the time for which each of these blocked the waiting code. Lines below 1 µs are omitted.
public final class FoldedStacks: TraceExport, ModelObserver {
    public static let purpose = "for flame graphs"
    public static let manual = """
        waiting time as folded stacks, for flame graphs. Each line has the code that waited, the queues that it had to \
        pass, the part of the wait, and microseconds:

          queuescope export trace --format folded -o waits.folded
          flamegraph.pl --countname us waits.folded > waits.svg
        """

    private let sink: ([UInt8]) throws -> Void
    private var tally = WaitTally()

    public var followed: ObservationKinds { WaitTally.follows }

    /// - Parameter sink: takes the next bytes of the text.
    public init(to sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

    public func observe(_ observation: Observation, in model: DispatchModel) { tally.observe(observation) }

    public func finish(_ analysis: Analysis, of process: Int) throws {
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
        return [name(key.code, in: model)] + queues + [key.cause.title]
    }

    /// A semicolon separates frames, and the last space separates the weight.
    private static func frame(_ text: String) -> String { text.replacing(";", with: ",") }
}
