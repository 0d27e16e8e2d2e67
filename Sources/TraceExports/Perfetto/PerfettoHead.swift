import DispatchAnalysis
import DispatchModel

/// The head of the file: clocks, names and track descriptions.
struct PerfettoHead {
    /// The numbers of clocks in Perfetto's format: CLOCK_REALTIME, and CLOCK_BOOTTIME, the default clock of timestamps.
    private enum Clock {
        static let realtime: UInt64 = 1
        static let boottime: UInt64 = 6
    }

    private let analysis: Analysis
    /// All packets behind the head.
    private let writer: PerfettoWriter
    private(set) var message = ProtobufMessage()

    init(_ analysis: Analysis, of writer: PerfettoWriter) {
        (self.analysis, self.writer) = (analysis, writer)
        // Times count from the begin of the trace.
        PerfettoPacket.clocks([
            (Clock.boottime, 0), (Clock.realtime, UInt64(clamping: analysis.trace.beginUnixNanoseconds)),
        ]).append(to: &message)
        PerfettoPacket.names(
            events: writer.names.events(in: analysis.model),
            categories: PerfettoCategory.allCases.map { PerfettoName(number: $0.rawValue, text: $0.name) }
        ).append(to: &message)
        describeProcess()
        describeQueues()
        describeThreads()
        describeMarks()
    }

    private mutating func describeProcess() {
        let process = analysis.trace.processes.first
        add(
            PerfettoTrackDescription(
                track: .process, content: .process(pid: pid, name: process?.name ?? ""), ordersChildren: true))
        let folders: [(track: PerfettoTrack, name: String)] = [
            (.findings, "Findings"), (.queues, "Queues"), (.signposts, "Signposts"),
        ]
        for (rank, folder) in folders.enumerated() {
            add(
                PerfettoTrackDescription(
                    track: folder.track, parent: .process, name: folder.name, ordersChildren: true, rank: rank))
        }
    }

    private mutating func add(_ track: PerfettoTrackDescription) {
        PerfettoPacket.track(track).append(to: &message)
    }

    /// Never 0, which is Perfetto's id of the idle process.
    private var pid: Int32 { Int32(clamping: max(1, analysis.trace.processes.first?.pid ?? 1)) }

    /// Describes each queue below its target, with its lanes. Perfetto draws lanes with one name as one track.
    private mutating func describeQueues() {
        for queue in analysis.model.queues {
            let name = PerfettoNames.label(of: queue)
            let position = queue.index.position
            add(
                PerfettoTrackDescription(
                    track: .queue(position), parent: queue.target.map { .queue($0.position) } ?? .queues, name: name,
                    rank: position, text: "\(queue.kind.rawValue) queue #\(queue.serialNumber)"))
            if position < writer.depths.count, !writer.depths[position].samples.isEmpty {
                add(
                    PerfettoTrackDescription(
                        track: .depth(position), parent: .queue(position), name: "\(name) depth",
                        content: .counter(unit: "items")))
            }
            guard position < writer.queueLanes.lastEnds.count else { continue }
            for lane in writer.queueLanes.lastEnds[position].indices {
                add(
                    PerfettoTrackDescription(
                        track: .lane(.queue, group: position, lane: lane), parent: .queue(position),
                        name: "\(name) items"))
            }
        }
    }

    private mutating func describeThreads() {
        for thread in analysis.model.threads {
            add(
                PerfettoTrackDescription(
                    track: .thread(thread.index), parent: .process,
                    content: .thread(pid: pid, tid: Int32(truncatingIfNeeded: thread.tid), name: thread.name)))
        }
    }

    private mutating func describeMarks() {
        for (position, name) in writer.findingTracks.enumerated() {
            add(PerfettoTrackDescription(track: .finding(position), parent: .findings, name: name, rank: position))
        }
        for lane in writer.signpostLanes.lastEnds.first?.indices ?? 0..<0 {
            add(
                PerfettoTrackDescription(
                    track: .lane(.signpost, group: 0, lane: lane), parent: .signposts, name: "signposts"))
        }
    }
}
