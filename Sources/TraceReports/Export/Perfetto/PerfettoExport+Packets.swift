import DispatchModel

// The basic packets.
extension PerfettoExport {
    func depth(of queue: Int, from begin: Timestamp, to end: Timestamp) {
        while depths.count <= queue { depths.append(DepthSamples()) }
        depths[queue].add(from: begin, to: end)
    }

    func slice(
        on track: PerfettoTrack, _ begin: Timestamp, _ end: Timestamp, _ name: PerfettoNames.Name,
        _ category: PerfettoCategory, terminating flows: [UInt64] = [],
        more: (inout PerfettoTrackEvent) -> Void = { _ in }
    ) {
        counts.slices += 1
        append(at: begin, on: track) {
            $0.type = .sliceBegin
            $0.nameIid = names.number(of: name)
            $0.categoryIids = [category.rawValue]
            $0.terminatingFlowIds = flows
            more(&$0)
        }
        append(at: max(begin, end), on: track) {
            $0.type = .sliceEnd
        }
    }

    func instant(
        on track: PerfettoTrack, at time: Timestamp, _ name: PerfettoNames.Name, _ category: PerfettoCategory,
        flow: UInt64? = nil, more: (inout PerfettoTrackEvent) -> Void = { _ in }
    ) {
        counts.slices += 1
        append(at: time, on: track) {
            $0.type = .instant
            $0.nameIid = names.number(of: name)
            $0.categoryIids = [category.rawValue]
            if let flow { $0.flowIds = [flow] }
            more(&$0)
        }
    }

    /// Writes the counters. This is done at the end, because only then is the final length of the intervals known.
    func writeDepths() {
        for queue in depths.indices {
            for sample in depths[queue].samples {
                counts.samples += 1
                append(at: sample.time, on: .depth(queue)) {
                    $0.type = .counter
                    $0.counterValue = Int64(sample.depth)
                }
            }
        }
    }

    private func append(at time: Timestamp, on track: PerfettoTrack, _ fill: (inout PerfettoTrackEvent) -> Void) {
        used.insert(track.number)
        var packet = PerfettoTracePacket()
        packet.timestamp = UInt64(clamping: time.nanoseconds)
        packet.trustedPacketSequenceID = PerfettoPacketBuffer.sequence
        packet.sequenceFlags = 2
        packet.trackEvent.trackUuid = track.number
        fill(&packet.trackEvent)
        file.append(packet)
    }
}

extension PerfettoDebugAnnotation {
    static func named(_ name: String, _ text: String) -> PerfettoDebugAnnotation {
        .with {
            $0.name = name
            $0.stringValue = text
        }
    }

    static func named(_ name: String, number: Int64) -> PerfettoDebugAnnotation {
        .with {
            $0.name = name
            $0.intValue = number
        }
    }
}
