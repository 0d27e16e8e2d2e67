import DispatchAnalysis
import DispatchModel

// The head of the file: clocks, names and track descriptions.
extension PerfettoExport {
    /// The numbers of clocks in Perfetto's format: CLOCK_REALTIME, and CLOCK_BOOTTIME, the default clock of timestamps.
    private enum Clock {
        static let realtime: UInt64 = 1
        static let boottime: UInt64 = 6
    }

    func describe(_ analysis: Analysis, in head: inout ProtobufMessage) {
        let model = analysis.model
        // Times count from the begin of the trace.
        PerfettoPacket.clocks([
            (Clock.boottime, 0), (Clock.realtime, UInt64(clamping: analysis.trace.beginUnixNanoseconds)),
        ]).append(to: &head)
        PerfettoPacket.names(
            events: names.events(in: model),
            categories: PerfettoCategory.allCases.map { PerfettoName(number: $0.rawValue, text: $0.name) }
        ).append(to: &head)
        describeProcess(analysis, in: &head)
        describeQueues(model, in: &head)
        describeThreads(analysis, in: &head)
        describeMarks(in: &head)
    }

    private func describeProcess(_ analysis: Analysis, in head: inout ProtobufMessage) {
        let process = analysis.trace.processes.first
        add(
            PerfettoTrackDescription(
                track: .process, content: .process(pid: Self.pid(of: analysis), name: process?.name ?? ""),
                ordersChildren: true),
            to: &head)
        let folders: [(track: PerfettoTrack, name: String)] = [
            (.findings, "Findings"), (.queues, "Queues"), (.signposts, "Signposts"),
        ]
        for (rank, folder) in folders.enumerated() {
            add(
                PerfettoTrackDescription(
                    track: folder.track, parent: .process, name: folder.name, ordersChildren: true, rank: rank),
                to: &head)
        }
    }

    private func add(_ track: PerfettoTrackDescription, to head: inout ProtobufMessage) {
        PerfettoPacket.track(track).append(to: &head)
    }

    /// Never 0, which is Perfetto's id of the idle process.
    private static func pid(of analysis: Analysis) -> Int32 {
        Int32(clamping: max(1, analysis.trace.processes.first?.pid ?? 1))
    }

    /// Describes each queue below its target, with its lanes. Perfetto draws lanes with one name as one track.
    private func describeQueues(_ model: DispatchModel, in head: inout ProtobufMessage) {
        for queue in model.queues {
            let name = PerfettoNames.label(of: queue)
            let position = queue.index.position
            add(
                PerfettoTrackDescription(
                    track: .queue(position), parent: queue.target.map { .queue($0.position) } ?? .queues, name: name,
                    rank: position, text: "\(queue.kind.rawValue) queue #\(queue.serialNumber)"),
                to: &head)
            if position < depths.count, !depths[position].samples.isEmpty {
                add(
                    PerfettoTrackDescription(
                        track: .depth(position), parent: .queue(position), name: "\(name) depth",
                        content: .counter(unit: "items")),
                    to: &head)
            }
            guard position < queueLanes.lastEnds.count else { continue }
            for lane in queueLanes.lastEnds[position].indices {
                add(
                    PerfettoTrackDescription(
                        track: .lane(.queue, group: position, lane: lane), parent: .queue(position),
                        name: "\(name) items"),
                    to: &head)
            }
        }
    }

    private func describeThreads(_ analysis: Analysis, in head: inout ProtobufMessage) {
        for thread in analysis.model.threads {
            add(
                PerfettoTrackDescription(
                    track: .thread(thread.index), parent: .process,
                    content: .thread(
                        pid: Self.pid(of: analysis), tid: Int32(truncatingIfNeeded: thread.tid), name: thread.name)),
                to: &head)
        }
    }

    private func describeMarks(in head: inout ProtobufMessage) {
        for (position, name) in findingTracks.enumerated() {
            add(
                PerfettoTrackDescription(
                    track: .finding(position), parent: .findings, name: name, rank: position),
                to: &head)
        }
        for lane in signpostLanes.lastEnds.first?.indices ?? 0..<0 {
            add(
                PerfettoTrackDescription(
                    track: .lane(.signpost, group: 0, lane: lane), parent: .signposts, name: "signposts"),
                to: &head)
        }
    }
}
