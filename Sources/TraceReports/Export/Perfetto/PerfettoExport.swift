import DispatchAnalysis
import DispatchModel

/// Exports the trace for Perfetto (https://ui.perfetto.dev), as a file of TrackEvent packets.
///
/// | in the trace | in Perfetto |
/// | --- | --- |
/// | queue | a track, below the track of its target queue, with a slice per item and a counter of its depth |
/// | thread | a track with a slice per item that it ran and per wait that blocked it, and an instant per enqueue |
/// | enqueue → begin | a flow from the instant on the enqueuing thread to the slice on the queue |
/// | hand-off | a flow from an instant on the thread that released the queue to the slice of the item that got it |
/// | task | a slice per run on its thread; flows from its creation to the first run, from each resumption to the next |
/// | finding | a slice with its texts as arguments, and an instant per piece of evidence |
/// | signpost | a slice or an instant |
/// | context switches | scheduling data, when the trace has the processor |
///
/// The export observes the analysis and writes packets during it, so memory grows only with queues, threads and open
/// tasks. Use it only on the thread of the analysis.
public final class PerfettoExport: TraceExport, ModelObserver {
    public static let purpose = "for its timeline"
    public static let manual = """
        queues, threads, waits, flows, findings and processors for https://ui.perfetto.dev, which opens the file in \
        the browser and does not upload it.
        """
    public static let isBinary = true

    /// Counts of the contents of a file. Perfetto must count the same.
    public struct Counts: Sendable, Equatable {
        /// Slices and instants.
        public internal(set) var slices = 0
        /// Flows: from enqueue to begin, hand-offs, and into the runs of tasks.
        public internal(set) var flows = 0
        /// Samples of counters.
        public internal(set) var samples = 0
        /// Tracks with slices or samples. A queue has several when its items overlap.
        public internal(set) var tracks = 0
        /// Slices on a processor.
        public internal(set) var schedulingSlices = 0
    }

    /// The counts of everything written until now.
    public internal(set) var counts = Counts()

    public var summary: [String] {
        let scheduling = counts.schedulingSlices == 0 ? "" : " and \(counts.schedulingSlices) intervals on processors"
        return [
            "The export has \(counts.slices) slices, \(counts.flows) flows, \(counts.tracks) tracks, "
                + "\(counts.samples) samples\(scheduling). Open it at https://ui.perfetto.dev."
        ]
    }

    private let symbolizer: Symbolizer
    private let sink: ([UInt8]) throws -> Void
    var file = PerfettoPacketFile()
    var names = PerfettoNames()
    var queueLanes = PerfettoLanes(kind: .queue)
    var signpostLanes = PerfettoLanes(kind: .signpost)
    /// Indexed by queue position.
    var depths: [DepthSamples] = []
    /// The end of the last slice of each processor, by processor number.
    var processorsFreeAt: [Int: Timestamp] = [:]
    /// The numbers of the tracks that have contents.
    var used: Set<UInt64> = []
    /// The names of the tracks of findings, in the order of the report.
    var findingTracks: [String] = []
    /// Hand-offs by item, until the item ends.
    var handoffs: [ItemNumber: Handoff] = [:]
    /// Open tasks by number, until they end.
    var openTasks: [UInt64: OpenTask] = [:]

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - symbolizer: names the stacks of the findings.
    ///   - sink: takes the next bytes of the file.
    public init(symbolizer: Symbolizer = Symbolizer(), to sink: @escaping ([UInt8]) throws -> Void) {
        (self.symbolizer, self.sink) = (symbolizer, sink)
    }

    public var followed: ObservationKinds {
        [
            .items, .applyIterations, .handoffs, .acquisitions, .blockedWaits, .signposts, .misuses, .processorSlices,
            .tasks, .taskRuns, .taskWaits,
        ]
    }

    /// Writes one observation. A failure is stored and thrown by ``finish(_:of:)``.
    ///
    /// - Parameters:
    ///   - observation: the observation.
    ///   - model: the entities at the time of the observation.
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

    /// Writes the track descriptions and names, which are complete only at the end, then the observations, counters and
    /// findings.
    public func finish(_ analysis: Analysis, of process: Int) throws {
        let symbols = symbolizer.symbols(of: analysis)
        for finding in analysis.findings {
            write(finding, in: analysis.model) { symbols.frames(of: analysis.model[$0]).map(\.description) }
        }
        writeDepths()
        counts.tracks = used.count
        var head = ProtobufMessage()
        describe(analysis, in: &head)
        try sink(head.bytes)
        try file.copy(to: sink)
    }
}
