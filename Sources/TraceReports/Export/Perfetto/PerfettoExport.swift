import DispatchAnalysis
import DispatchModel

/// The trace for Perfetto (https://ui.perfetto.dev): a file of TrackEvent packets.
///
/// | in the trace | in Perfetto |
/// | --- | --- |
/// | queue | a track, below that of its target queue, with a slice per item and a counter of its depth |
/// | thread | a track with a slice per item that it ran and per wait that blocked it, and an instant per enqueue |
/// | enqueue → begin | a flow from the instant on the enqueuing thread to the slice on the queue |
/// | hand-off | a flow from an instant on the thread that gave the queue back to the slice of the one that got it |
/// | task | a slice per run on its thread; flows from its creation to the first run, from its resumption to the next |
/// | finding | a slice with its texts as arguments, and an instant per piece of evidence |
/// | signpost | a slice or an instant |
/// | context switches | scheduling data, where the trace tells the processor |
///
/// It follows the analysis as an observer and writes as it goes, so memory grows with queues, threads and open tasks
/// only. Confined to the thread that analyses.
public final class PerfettoExport: TraceExporter {
    /// What a file holds: the numbers that Perfetto must count, too.
    public struct Counts: Sendable, Equatable {
        /// Slices, instants included.
        public internal(set) var slices = 0
        /// Enqueue → begin, hand-offs, and into the runs of tasks.
        public internal(set) var flows = 0
        /// Samples of counters.
        public internal(set) var samples = 0
        /// Tracks that hold slices or samples; where items of a queue overlap it has several.
        public internal(set) var tracks = 0
        /// Stretches on a processor.
        public internal(set) var schedulingSlices = 0
    }

    /// What was written so far.
    public internal(set) var counts = Counts()

    var file = PerfettoPacketFile()
    var names = PerfettoNames()
    var queueLanes = PerfettoLanes(kind: .queue)
    var signpostLanes = PerfettoLanes(kind: .signpost)
    /// By position of the queue.
    var depths: [DepthSamples] = []
    /// By number of the processor: when its last slice ended.
    var processorsFreeAt: [Int: Timestamp] = [:]
    /// The numbers of the tracks that hold anything.
    var used: Set<UInt64> = []
    /// What the tracks of findings are called, in the order of the report.
    var findingTracks: [String] = []
    /// By item, until it ends.
    var handoffs: [ItemNumber: Handoff] = [:]
    /// By number, until they end.
    var openTasks: [UInt64: OpenTask] = [:]

    /// An export that has seen nothing yet.
    public init() {}

    public var followed: ObservationKinds {
        [
            .items, .applyIterations, .handoffs, .acquisitions, .blockedWaits, .signposts, .misuses, .processorSlices,
            .tasks, .taskRuns, .taskWaits,
        ]
    }

    /// Writes one observation. A failure is kept until ``write(_:to:)``.
    ///
    /// - Parameters:
    ///   - observation: the new fact.
    ///   - model: the entities known so far.
    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): write(item)
        case .applyIteration(let iteration): write(iteration)
        case .handoff(let handoff): handoffs[handoff.item] = handoff
        case .acquisition(let acquisition): write(acquisition, in: model)
        case .blockedWait(let wait): write(wait)
        case .signpost(let signpost): write(signpost)
        case .misuse(let misuse): write(misuse)
        case .processorSlice(let slice): write(slice, in: model)
        case .taskRun(let run) where run.inner == nil: write(run, in: model)
        case .taskWait(let wait): write(wait, in: model)
        case .task(let task): write(task)
        default: break
        }
    }

    /// Writes the descriptions of the tracks and the names, which are known only now, then what was observed, then
    /// counters and findings.
    ///
    /// - Parameters:
    ///   - analysis: the analysis that this export observed.
    ///   - sink: takes the next bytes of the file.
    /// - Throws: what `sink` throws, and ``TemporaryFileError`` when there is no room for temporary files.
    public func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws {
        let symbols = Symbolizer().symbols(of: analysis)
        for finding in analysis.findings {
            write(finding, in: analysis.model) { symbols.frames(of: analysis.model[$0]).map(\.description) }
        }
        writeDepths()
        counts.tracks = used.count
        var head = PerfettoPacketBuffer()
        describe(analysis, in: &head)
        try sink(head.bytes)
        try file.copy(to: sink)
    }
}
