import DispatchAnalysis
import DispatchModel

// The head of the file: clocks, names and track descriptions.
extension PerfettoExport {
    /// The numbers of clocks in Perfetto's format: CLOCK_REALTIME, and CLOCK_BOOTTIME, the default clock of timestamps.
    private enum Clock {
        static let realtime: UInt32 = 1
        static let boottime: UInt32 = 6
    }

    func describe(_ analysis: Analysis, in head: inout PerfettoPacketBuffer) {
        let model = analysis.model
        head.append(
            .with {
                // Times count from the begin of the trace.
                $0.clockSnapshot.clocks = [
                    .with {
                        $0.clockID = Clock.boottime; $0.timestamp = 0
                    },
                    .with {
                        $0.clockID = Clock.realtime
                        $0.timestamp = UInt64(clamping: analysis.trace.beginUnixNanoseconds)
                    },
                ]
                $0.trustedPacketSequenceID = PerfettoPacketBuffer.sequence
            })
        head.append(
            .with {
                $0.trustedPacketSequenceID = PerfettoPacketBuffer.sequence
                $0.sequenceFlags = 1
                $0.internedData.eventNames = names.events(in: model)
                $0.internedData.eventCategories = PerfettoCategory.allCases.map { category in
                    .with {
                        $0.iid = category.rawValue
                        $0.name = category.name
                    }
                }
            })
        describeProcess(analysis, in: &head)
        describeQueues(model, in: &head)
        describeThreads(analysis, in: &head)
        describeMarks(in: &head)
    }

    private func add(
        _ track: PerfettoTrack, under parent: PerfettoTrack? = nil, _ name: String? = nil,
        in head: inout PerfettoPacketBuffer, more: (inout PerfettoTrackDescriptor) -> Void = { _ in }
    ) {
        head.append(
            .with {
                $0.trustedPacketSequenceID = PerfettoPacketBuffer.sequence
                $0.trackDescriptor.uuid = track.number
                if let parent { $0.trackDescriptor.parentUuid = parent.number }
                if let name { $0.trackDescriptor.name = name }
                more(&$0.trackDescriptor)
            })
    }

    private func describeProcess(_ analysis: Analysis, in head: inout PerfettoPacketBuffer) {
        let process = analysis.trace.processes.first
        add(.process, in: &head) {
            $0.process.pid = Self.pid(of: analysis)
            $0.process.processName = process?.name ?? ""
            $0.childOrdering = .explicit
        }
        let folders: [(track: PerfettoTrack, name: String)] = [
            (.findings, "Findings"), (.queues, "Queues"), (.signposts, "Signposts"),
        ]
        for (rank, folder) in folders.enumerated() {
            add(folder.track, under: .process, folder.name, in: &head) {
                $0.siblingOrderRank = Int32(rank)
                $0.childOrdering = .explicit
            }
        }
    }

    /// Never 0, which is Perfetto's id of the idle process.
    private static func pid(of analysis: Analysis) -> Int32 {
        Int32(clamping: max(1, analysis.trace.processes.first?.pid ?? 1))
    }

    /// Describes each queue below its target, with its lanes. Perfetto draws lanes with one name as one track.
    private func describeQueues(_ model: DispatchModel, in head: inout PerfettoPacketBuffer) {
        for queue in model.queues {
            let name = PerfettoNames.label(of: queue)
            let position = queue.index.position
            add(.queue(position), under: queue.target.map { .queue($0.position) } ?? .queues, name, in: &head) {
                $0.description_p = "\(queue.kind.rawValue) queue #\(queue.serialNumber)"
                $0.siblingOrderRank = Int32(clamping: position)
            }
            if position < depths.count, !depths[position].samples.isEmpty {
                add(.depth(position), under: .queue(position), "\(name) depth", in: &head) {
                    $0.counter.unitName = "items"
                }
            }
            guard position < queueLanes.lastEnds.count else { continue }
            for lane in queueLanes.lastEnds[position].indices {
                add(
                    .lane(.queue, group: position, lane: lane), under: .queue(position), "\(name) items", in: &head)
            }
        }
    }

    private func describeThreads(_ analysis: Analysis, in head: inout PerfettoPacketBuffer) {
        for thread in analysis.model.threads {
            add(.thread(thread.index), under: .process, in: &head) {
                $0.thread.pid = Self.pid(of: analysis)
                $0.thread.tid = Int32(truncatingIfNeeded: thread.tid)
                $0.thread.threadName = thread.name
            }
        }
    }

    private func describeMarks(in head: inout PerfettoPacketBuffer) {
        for (position, name) in findingTracks.enumerated() {
            add(.finding(position), under: .findings, name, in: &head) {
                $0.siblingOrderRank = Int32(clamping: position)
            }
        }
        for lane in signpostLanes.lastEnds.first?.indices ?? 0..<0 {
            add(.lane(.signpost, group: 0, lane: lane), under: .signposts, "signposts", in: &head)
        }
    }
}
