/// Determines the parts of each data stream to read for a window.
struct WindowExcerpts {
    private let trace: TracePlan
    private let plan: WindowPlan
    private let agreement: [ClockClass: ClockClass]
    private let ledger: PacketLedger?

    /// Times as computed by babeltrace2 deviate by less than this, in nanoseconds.
    private static let tolerance: Int64 = 1_000
    /// Streams that also have other records are searched for names up to this time after the window, in nanoseconds.
    /// The recorder looks names up in its next round.
    private static let nameDelay: Int64 = 2_000_000_000
    /// Size of the parts in which a stream is scanned, in bytes.
    private static let partSize = 256 << 10
    /// Maximum number of parts that one thread scans.
    private static let partsAtOnce = 64
    /// Maximum size of an opening packet, of which only the later records are read. Larger packets are read as a whole.
    private static let openingLimit = 16 << 20

    init(_ trace: TracePlan, _ plan: WindowPlan, agreement: [ClockClass: ClockClass], ledger: PacketLedger?) {
        self.trace = trace
        self.plan = plan
        self.agreement = agreement
        self.ledger = ledger
    }

    /// A part of a stream to scan.
    private struct Part {
        var stream: Int
        var packets: Range<Int>
        var isBefore: Bool
    }

    /// Determines the parts to read of each stream.
    ///
    /// - Parameter files: the data stream files.
    /// - Returns: one excerpt per file. A file whose packets have no time stamps is read as a whole.
    /// - Complexity: O(packets), and O(records outside the window) when their roles matter, on all processors.
    func excerpts(of files: [MappedFile]) -> [StreamExcerpt] {
        zip(files, find(in: files)).map { file, found in found ?? StreamExcerpt(packets: 0..<file.count) }
    }

    private func find(in files: [MappedFile]) -> [StreamExcerpt?] {
        let indices = files.concurrentMap { $0.packets(of: trace) }
        let begin = plan.needsState ? plan.window.runUpBegin : plan.window.begin
        var excerpts = zip(files, indices).map { excerpt(of: $0, $1, from: begin) }
        guard plan.needsState else { return excerpts }
        func search(extending earlier: SubmissionSearch? = nil) -> SubmissionSearch {
            SubmissionSearch(
                trace, roles: plan.roles,
                streams: files.indices.map { .init(file: files[$0], index: indices[$0], excerpt: excerpts[$0]) },
                extending: earlier)
        }
        var submissions = search()
        if let earliest = submissions.earliestSubmission(reach: plan.window.submissionReach),
            let clock = indices.lazy.compactMap(\.clock).first,
            case let time = (agreement[clock] ?? clock).nanosecondsFromOrigin(earliest), time < begin
        {
            // Start at the first submission, because the wait of an item begins with its submission.
            excerpts = zip(files, indices).map { excerpt(of: $0, $1, from: time) }
            submissions = search(extending: submissions)
        }
        var parts: [Part] = []
        var before: [Int: PacketScan.Found] = [:]
        for (stream, excerpt) in excerpts.enumerated() {
            guard let excerpt else { continue }
            let begin = excerpt.opening?.packet ?? excerpt.packets.lowerBound
            let known = files[stream].memory?.found(before: begin)
            before[stream] = known?.found
            add(stream, indices[stream], (known?.end ?? 0)..<begin, isBefore: true, to: &parts)
            let after = excerpt.packets.upperBound..<nameEnd(files[stream], indices[stream], excerpt)
            add(stream, indices[stream], after, isBefore: false, to: &parts)
        }
        let found = scan(parts, of: files, indices)
        for (part, found) in zip(parts, found) {
            if part.isBefore {
                before[part.stream, default: .init()].append(found)
                files[part.stream].memory?.note(found, in: part.packets, of: files[part.stream])
            } else {
                excerpts[part.stream]?.after += found.places
            }
        }
        var opened: [[RecordPlace]] = []
        for (stream, file) in files.enumerated() {
            let (found, rest) = scanOpening(excerpts[stream]?.opening, of: file, indices[stream])
            before[stream, default: .init()].append(found)
            opened.append(rest)
        }
        let beginning = submissions.beginningItems()
        let running = submissions.runningItems(before.mapValues(\.open))
        for stream in files.indices {
            let found = before[stream] ?? .init()
            let single = found.open + [found.latest, found.waiting].compactMap { $0 } + opened[stream]
            excerpts[stream]?.before = Self.merged(found.places, single + beginning[stream] + running[stream])
        }
        return excerpts
    }

    private func excerpt(of file: MappedFile, _ index: PacketIndex, from runUpBegin: Int64) -> StreamExcerpt? {
        guard let clock = index.clock, index.packets.allSatisfy({ $0.begin != nil }) else { return nil }
        let agreed = agreement[clock] ?? clock
        func time(_ cycles: UInt64) -> Int64 { agreed.nanosecondsFromOrigin(cycles) }
        func endTime(of position: Int) -> Int64 {
            let clock = index.endClock(at: position)
            return clock == .max ? .max : time(clock)
        }
        let begin = runUpBegin.clamped(minus: Self.tolerance)
        let packets = index.packets
        let first = packets.indices.first { endTime(of: $0) >= begin } ?? packets.count
        let end = plan.window.end.clamped(minus: -Self.tolerance)
        let last = packets.indices[first...].first { time(packets[$0].begin!) > end } ?? packets.count
        func offset(_ position: Int) -> Int { position < packets.count ? packets[position].offset : file.count }
        var excerpt = StreamExcerpt(packets: offset(first)..<offset(last))
        if first > 0 { excerpt.last = packets[first - 1].values }
        // Skip the older records of this packet. Otherwise an item that they submit would seem to wait although another
        // thread has begun it.
        guard plan.needsState, ledger == nil, first < last, time(packets[first].begin!) < begin,
            case let bytes = index.range(of: offset(first), in: file), bytes.count <= Self.openingLimit
        else { return excerpt }
        var since = UInt64.max
        let isWhole = RecordWalk(file: file, trace: trace).run(bytes, ofAnySize: true) {
            if since == .max, time($0.place.clock) >= begin { since = $0.place.clock }
        }
        // Damage gets a note when the packet is read.
        guard isWhole else { return excerpt }
        excerpt.packets = offset(first + 1)..<offset(last)
        excerpt.opening = (offset(first), since)
        return excerpt
    }

    /// Scans the packet in which the run-up begins.
    ///
    /// - Returns: the result for the records before the run-up, and the places of all later records.
    private func scanOpening(
        _ opening: (packet: Int, clock: UInt64)?, of file: MappedFile, _ index: PacketIndex
    ) -> (before: PacketScan.Found, rest: [RecordPlace]) {
        var (found, rest) = (PacketScan.Found(), [RecordPlace]())
        guard let opening else { return (found, rest) }
        RecordWalk(file: file, trace: trace).run(index.range(of: opening.packet, in: file), ofAnySize: true) { record in
            if record.place.clock >= opening.clock {
                rest.append(record.place)
            } else {
                let role = plan.roles[record.layout.pointee.classIndex].role
                found.append(PacketScan.Found(of: record.place, role, isOfOneThread: index.isOfOneThread))
            }
        }
        return (found, rest)
    }

    /// The end of the search for names.
    private func nameEnd(_ file: MappedFile, _ index: PacketIndex, _ excerpt: StreamExcerpt) -> Int {
        guard let clock = index.clock, index.packets.first?.values.tid != 0 else { return file.count }
        // Threads of the traced program write no names.
        if index.isOfOneThread { return excerpt.packets.upperBound }
        let agreed = agreement[clock] ?? clock
        let last = index.packets.first {
            agreed.nanosecondsFromOrigin($0.begin ?? 0) > plan.window.end.clamped(minus: -Self.nameDelay)
        }
        return max(excerpt.packets.upperBound, last?.offset ?? file.count)
    }

    private func add(
        _ stream: Int, _ index: PacketIndex, _ packets: Range<Int>, isBefore: Bool, to parts: inout [Part]
    ) {
        var begin = packets.lowerBound
        // The pieces of a trace claim packets in order, so they are not split.
        let size = ledger == nil ? Self.partSize : .max
        for packet in index.packets where packet.offset > begin && packet.offset < packets.upperBound {
            guard packet.offset - begin >= size else { continue }
            parts.append(Part(stream: stream, packets: begin..<packet.offset, isBefore: isBefore))
            begin = packet.offset
        }
        if begin < packets.upperBound {
            parts.append(Part(stream: stream, packets: begin..<packets.upperBound, isBefore: isBefore))
        }
    }

    private func scan(_ parts: [Part], of files: [MappedFile], _ indices: [PacketIndex]) -> [PacketScan.Found] {
        let roles = plan.roles.map(\.role)
        let names = roles.map { $0 == .name ? RecordRole.name : .passing }
        // Groups of parts, each scanned by one thread.
        var groups: [[Part]] = []
        for part in parts {
            if let last = groups.last, last.count < Self.partsAtOnce, ledger == nil,
                (last[0].stream, last[0].isBefore) == (part.stream, part.isBefore)
            {
                groups[groups.count - 1].append(part)
            } else {
                groups.append([part])
            }
        }
        func scan(_ group: [Part]) -> [PacketScan.Found] {
            let scan = PacketScan(
                files[group[0].stream], trace, roles: group[0].isBefore ? roles : names,
                isOfOneThread: indices[group[0].stream].isOfOneThread)
            return scan.run(group.map(\.packets), ledger: ledger)
        }
        let found = ledger == nil ? groups.concurrentMap(scan) : groups.map(scan)
        return found.flatMap { $0 }
    }

    /// Merges two lists in the order of the stream and removes duplicates.
    private static func merged(_ places: [RecordPlace], _ others: [RecordPlace]) -> [RecordPlace] {
        let all = (places + others).sorted { ($0.packet, $0.start) < ($1.packet, $1.start) }
        return all.indices.filter {
            $0 == 0 || (all[$0].packet, all[$0].start) != (all[$0 - 1].packet, all[$0 - 1].start)
        }
        .map { all[$0] }
    }
}
