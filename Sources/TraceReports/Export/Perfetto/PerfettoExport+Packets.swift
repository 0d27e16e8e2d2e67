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
        annotations: [PerfettoAnnotation] = []
    ) {
        counts.slices += 1
        append(
            PerfettoEvent(
                kind: .sliceBegin, track: track, name: names.number(of: name), category: category,
                terminatingFlows: flows, annotations: annotations),
            at: begin)
        append(PerfettoEvent(kind: .sliceEnd, track: track), at: max(begin, end))
    }

    func instant(
        on track: PerfettoTrack, at time: Timestamp, _ name: PerfettoNames.Name, _ category: PerfettoCategory,
        flow: UInt64? = nil, annotations: [PerfettoAnnotation] = []
    ) {
        counts.slices += 1
        append(
            PerfettoEvent(
                kind: .instant, track: track, name: names.number(of: name), category: category,
                flows: flow.map { [$0] } ?? [], annotations: annotations),
            at: time)
    }

    /// Writes the counters. This is done at the end, because only then is the final length of the intervals known.
    func writeDepths() {
        for queue in depths.indices {
            for sample in depths[queue].samples {
                counts.samples += 1
                append(
                    PerfettoEvent(kind: .counter, track: .depth(queue), value: Int64(sample.depth)), at: sample.time)
            }
        }
    }

    private func append(_ event: PerfettoEvent, at time: Timestamp) {
        used.insert(event.track.number)
        file.append(.event(event, at: time))
    }
}
