import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

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
    public var counts: Counts { writer.counts }

    public var summary: [String] {
        let scheduling = counts.schedulingSlices == 0 ? "" : " and \(counts.schedulingSlices) intervals on processors"
        return [
            "The export has \(counts.slices) slices, \(counts.flows) flows, \(counts.tracks) tracks, "
                + "\(counts.samples) samples\(scheduling). Open it at https://ui.perfetto.dev."
        ]
    }

    private let symbolizer: Symbolizer
    private let sink: ([UInt8]) throws -> Void
    private var writer = PerfettoWriter()
    private(set) var tasks = PerfettoTasks()
    /// Hand-offs by item, until the item ends.
    private var handoffs: [ItemNumber: Handoff] = [:]
    /// The end of the last slice of each processor, by processor number.
    private var processorsFreeAt: [Int: Timestamp] = [:]

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
        case .taskRun(let run) where run.inner == nil: tasks.add(run, in: model, to: &writer)
        case .taskWait(let wait): tasks.add(wait, in: model, to: &writer)
        case .task(let task): tasks.add(task, to: &writer)
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
        writer.addDepthSamples()
        try sink(PerfettoHead(analysis, of: writer).message.bytes)
        try writer.copy(to: sink)
    }

    // MARK: Observations

    /// The ids of the two flows of an item, which differ in the last bit.
    private static func enqueueFlow(_ item: ItemNumber) -> UInt64 { UInt64(bitPattern: item.rawValue) << 1 }
    private static func handoffFlow(_ item: ItemNumber) -> UInt64 { UInt64(bitPattern: item.rawValue) << 1 | 1 }

    private func write(_ item: Item) {
        var flows: [UInt64] = []
        // The wait of a sync is a slice on its own thread, so it needs no flow.
        if let enqueuer = item.enqueuedOn, !item.isSync {
            let flow = Self.enqueueFlow(item.number)
            writer.addInstant(on: .thread(enqueuer), at: item.enqueuedAt, .queue(item.queue), .enqueue, flow: flow)
            flows.append(flow)
        }
        if item.isSync, let caller = item.enqueuedOn, item.wait > .zero {
            let end = caller == item.thread ? item.beganAt : item.endedAt
            writer.addSlice(
                on: .thread(caller), item.enqueuedAt, end, .text("sync waits"), .wait,
                annotations: [.named("queue", number: Int64(item.queue.position))])
        }
        if let handoff = handoffs.removeValue(forKey: item.number) {
            let flow = Self.handoffFlow(item.number)
            writer.addInstant(
                on: .thread(handoff.from), at: handoff.releasedAt ?? handoff.grantedAt, .text("hands off"), .handoff,
                flow: flow)
            flows.append(flow)
        }
        writer.addFlows(flows.count)
        let track = writer.lane(of: item.queue, begin: item.beganAt, end: item.endedAt)
        writer.addSlice(
            on: track, item.beganAt, item.endedAt, .code(item.code), .item, terminating: flows,
            annotations: Self.annotations(of: item))
        writer.addSlice(on: .thread(item.thread), item.beganAt, item.endedAt, .queue(item.queue), .item)
        writer.addDepth(of: item.queue, from: item.enqueuedAt, to: item.beganAt)
    }

    private static func annotations(of item: Item) -> [PerfettoAnnotation] {
        var annotations: [PerfettoAnnotation] = [
            .named("kind", "\(item.kind)"), .named("wait_ns", number: item.wait.count),
        ]
        for part in item.waitParts.named where part.value > .zero {
            annotations.append(.named("wait.\(part.name)_ns", number: part.value.count))
        }
        if item.isBarrier { annotations.append(.named("barrier", number: 1)) }
        if !item.isFinished { annotations.append(.named("finished", number: 0)) }
        return annotations
    }

    private func write(_ iteration: ApplyIteration) {
        let track = writer.lane(of: iteration.queue, begin: iteration.begin, end: iteration.end)
        writer.addSlice(
            on: track, iteration.begin, iteration.end, .code(iteration.code), .item,
            annotations: [.named("iteration", number: Int64(clamping: iteration.index))])
        writer.addSlice(on: .thread(iteration.thread), iteration.begin, iteration.end, .queue(iteration.queue), .item)
    }

    /// Writes the acquisition of a lock. Acquisitions of exclusion queues are omitted, because they are items.
    private func write(_ acquisition: Acquisition, in model: DispatchModel) {
        guard case .lock(let lock) = acquisition.domain else { return }
        if acquisition.requestedAt < acquisition.grantedAt {
            writer.addSlice(
                on: .thread(acquisition.thread), acquisition.requestedAt, acquisition.grantedAt, .text("lock waits"),
                .wait)
        }
        // Locks can be released in any order, so slices on the track of the thread would not nest. Use an instant.
        writer.addInstant(
            on: .thread(acquisition.thread), at: acquisition.grantedAt, .lock(lock), .lock,
            annotations: [.named("held_ns", number: (acquisition.releasedAt - acquisition.grantedAt).count)])
    }

    private func write(_ wait: BlockedWait) {
        let name =
            switch wait.object {
            case .group, .semaphore, .item: "\(wait.object.kind.title) wait"
            case .queue: "sync waits"
            case .lock: "lock waits"
            }
        writer.addSlice(
            on: .thread(wait.thread), wait.begin, wait.end, .text(name), .wait,
            annotations: wait.timedOut ? [.named("timed_out", number: 1)] : [])
    }

    private func write(_ signpost: Signpost) {
        let message: [PerfettoAnnotation] =
            signpost.message.isEmpty ? [] : [.named("message", signpost.message)]
        let track = writer.lane(of: signpost)
        if signpost.isEvent {
            writer.addInstant(on: track, at: signpost.begin, .text(signpost.name), .signpost, annotations: message)
        } else {
            writer.addSlice(
                on: track, signpost.begin, signpost.end, .text(signpost.name), .signpost, annotations: message)
        }
    }

    private func write(_ misuse: Misuse) {
        let name =
            switch misuse.kind {
            case .mutationAfterActivation: "mutation after activation"
            case .retargetAfterActivation: "retarget after activation"
            case .nonLeafRetarget: "non-leaf retarget"
            case .overResume: "over-resume"
            case .releaseWhileSuspended: "release while suspended"
            }
        writer.addInstant(on: .thread(misuse.thread), at: misuse.time, .text(name), .misuse)
    }

    /// Writes a scheduling slice. Between two slices of the program, the processor is idle or used by another process;
    /// both are written as Perfetto's idle process, the swapper.
    private func write(_ slice: ProcessorSlice, in model: DispatchModel) {
        guard let processor = slice.processor else { return }
        // A processor runs one thread at a time. When a record was lost and two slices overlap, cut the begin of the
        // later one.
        let begin = max(slice.begin, processorsFreeAt[processor] ?? .zero)
        guard begin < slice.end else { return }
        processorsFreeAt[processor] = slice.end
        let thread = PerfettoSwitch.Thread(
            tid: Int32(truncatingIfNeeded: model[slice.thread].tid), name: model[slice.thread].name)
        writer.addSlice(
            onProcessor: processor,
            [
                PerfettoSwitch(time: begin, previous: .idle, next: thread),
                PerfettoSwitch(
                    time: slice.end, previous: thread, next: .idle, previousSleeps: slice.ending == .blocked),
            ])
    }

    // MARK: Findings

    /// Writes a finding as a slice from its begin to its end. Each finding has its own track, because findings overlap.
    private func write(_ finding: Finding, in model: DispatchModel, frames: (StackIndex) -> [String]) {
        let track = writer.addFindingTrack("\(finding.id) \(finding.detector)")
        writer.addSlice(
            on: track, finding.begin, max(finding.end, finding.begin), .text(finding.detector), .finding,
            annotations: Self.annotations(of: finding, in: model, frames: frames))
        for evidence in finding.evidence {
            writer.addInstant(
                on: track, at: evidence.time, .text(evidence.event), .finding,
                annotations: [.named("detail", evidence.detail)])
        }
    }

    private static func annotations(
        of finding: Finding, in model: DispatchModel, frames: (StackIndex) -> [String]
    ) -> [PerfettoAnnotation] {
        var annotations: [PerfettoAnnotation] = [
            .named("id", finding.id), .named("severity", finding.severity.rawValue),
            .named("summary", finding.summary), .named("advice", finding.advice.text),
            .named("cost_ns", number: finding.cost.count),
            .named("occurrences", number: Int64(finding.occurrences)),
        ]
        if let caveat = finding.caveat { annotations.append(.named("caveat", caveat)) }
        for queue in finding.queues { annotations.append(.named("queue", PerfettoNames.label(of: model[queue]))) }
        for code in finding.code { annotations.append(.named("code", model[code].description)) }
        for measure in finding.measures { annotations.append(.named(measure.name, measure.text)) }
        for (title, stack) in finding.stacks {
            annotations.append(.named(title, frames(stack).joined(separator: "\n")))
        }
        return annotations
    }
}
