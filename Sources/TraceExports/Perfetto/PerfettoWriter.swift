import DispatchModel

/// Stores the events of tracks as packets, and counts them.
struct PerfettoWriter {
    private(set) var counts = PerfettoExport.Counts()
    private(set) var names = PerfettoNames()
    private(set) var queueLanes = PerfettoLanes(kind: .queue)
    private(set) var signpostLanes = PerfettoLanes(kind: .signpost)
    /// Indexed by queue position.
    private(set) var depths: [DepthSamples] = []
    /// The names of the tracks of findings, in the order of the report.
    private(set) var findingTracks: [String] = []
    /// Names must precede the packets that use them, but are complete only at the end.
    private var packets = ByteSpool()
    /// The next packet.
    private var message = ProtobufMessage()
    /// The numbers of the tracks that have contents.
    private var used: Set<UInt64> = []

    /// The lane of a queue that is free for an interval.
    mutating func lane(of queue: QueueIndex, begin: Timestamp, end: Timestamp) -> PerfettoTrack {
        queueLanes.track(of: queue.position, begin: begin, end: end)
    }

    /// The lane that is free for a signpost.
    mutating func lane(of signpost: Signpost) -> PerfettoTrack {
        signpostLanes.track(of: 0, begin: signpost.begin, end: signpost.end)
    }

    /// Adds a track for a finding.
    mutating func addFindingTrack(_ name: String) -> PerfettoTrack {
        findingTracks.append(name)
        return .finding(findingTracks.count - 1)
    }

    mutating func addDepth(of queue: QueueIndex, from begin: Timestamp, to end: Timestamp) {
        while depths.count <= queue.position { depths.append(DepthSamples()) }
        depths[queue.position].add(from: begin, to: end)
    }

    mutating func addFlows(_ count: Int) { counts.flows += count }

    mutating func addSlice(
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

    mutating func addInstant(
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

    /// Adds a slice on a processor: the switch to a thread and the switch from it.
    mutating func addSlice(onProcessor processor: Int, _ switches: [PerfettoSwitch]) {
        counts.schedulingSlices += 1
        append(.switches(processor: UInt64(clamping: processor), switches))
    }

    /// Adds the counters. This is done at the end, because only then is the final length of the intervals known.
    mutating func addDepthSamples() {
        for queue in depths.indices {
            for sample in depths[queue].samples {
                counts.samples += 1
                append(
                    PerfettoEvent(kind: .counter, track: .depth(queue), value: Int64(sample.depth)), at: sample.time)
            }
        }
    }

    private mutating func append(_ event: PerfettoEvent, at time: Timestamp) {
        if used.insert(event.track.number).inserted { counts.tracks += 1 }
        append(.event(event, at: time))
    }

    private mutating func append(_ packet: PerfettoPacket) {
        message.removeAll()
        packet.append(to: &message)
        packets.append { [message] in $0 += message.bytes }
    }

    /// Passes all packets to `sink`, in order.
    ///
    /// - Throws: the error of `sink`, and ``TemporaryFileError`` when a packet could not be stored.
    mutating func copy(to sink: ([UInt8]) throws -> Void) throws { try packets.copy(to: sink) }
}
