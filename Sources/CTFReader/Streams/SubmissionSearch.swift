/// Finds the records that submitted the items which begin in a window, or run when it begins.
///
/// ```
///   stream 0   ──s──────────s──────────├──────────────     s  submits an item
///   stream 1   ────────b────────────b──├──b─────b─────     b  begins one
///                                      ↑ decoded from here
/// ```
///
/// An id is given again when its item is over, so the last submission before the begin counts. The search goes back packet
/// by packet, the latest first, until everything is found; but not without end, as of some items the submission is not
/// recorded at all.
struct SubmissionSearch {
    /// A data stream, and what is decoded of it.
    struct Stream {
        var file: MappedFile
        var index: PacketIndex
        var excerpt: StreamExcerpt?
    }

    /// The search goes back over so many bytes of packets, so many at a time, and first over so many.
    private static let reach = 24 << 20
    private static let reachOfOne = 4 << 20
    private static let searchedAtOnce = 2 << 20
    private static let searchedFirst = 64 << 10
    /// Packets are gone over on all processors, in so many chunks at a time, of about so many bytes.
    private static let chunkCount = 8
    private static let chunkSize = 2 << 20

    private let trace: TracePlan
    private let roles: [WindowRole]
    private let streams: [Stream]
    /// The items that begin in packets that are decoded.
    private let beginning: WantedItems
    /// The first record of every item in these packets.
    private let firsts: FirstRecords

    /// - Parameters:
    ///   - trace: how packets are decoded.
    ///   - roles: by position of the event class.
    ///   - streams: the streams.
    ///   - earlier: a search in the same streams, of which the last of these packets are decoded.
    init(_ trace: TracePlan, roles: [WindowRole], streams: [Stream], extending earlier: SubmissionSearch? = nil) {
        self.trace = trace
        self.roles = roles
        self.streams = streams
        var packets: [Packet] = []
        for (number, stream) in streams.enumerated() {
            guard let decoded = stream.excerpt?.packets else { continue }
            if let opening = stream.excerpt?.opening {
                let bytes = stream.index.range(of: opening.packet, in: stream.file)
                packets.append(Packet(stream: number, bytes: bytes, since: opening.clock))
            }
            let known = earlier?.streams[number].excerpt?.packets.lowerBound ?? decoded.upperBound
            for packet in stream.index.packets where packet.offset >= decoded.lowerBound && packet.offset < known {
                let bytes = stream.index.range(of: packet.offset, in: stream.file)
                packets.append(Packet(stream: number, bytes: bytes))
            }
        }
        var firsts = earlier?.firsts ?? FirstRecords()
        let chunks = Self.chunks(of: packets, min(Self.bytes(of: packets) / Self.chunkCount + 1, Self.chunkSize))
        for begin in stride(from: 0, to: chunks.count, by: Self.chunkCount) {
            let some = Array(chunks[begin..<min(begin + Self.chunkCount, chunks.count)])
            firsts.note(some.concurrentMap { Self.items(in: $0, of: streams, trace, roles) })
        }
        self.firsts = firsts
        beginning = WantedItems(firsts.begins)
    }

    /// The records with which items begin or are submitted.
    private static func items(
        in packets: ArraySlice<Packet>, of streams: [Stream], _ trace: TracePlan, _ roles: [WindowRole]
    ) -> SpreadRecords {
        var items: [ItemRecord] = []
        for packet in packets {
            RecordWalk(file: streams[packet.stream].file, trace: trace).run(packet.bytes) { record in
                let role = roles[record.layout.pointee.classIndex]
                guard role.item >= 0, !role.describesItem, record.place.clock >= packet.since,
                    let id = record.number(role.item), id != .max
                else { return }
                items.append(ItemRecord(id: id, clock: record.place.clock, isBegin: !role.submits))
            }
        }
        return SpreadRecords(items)
    }

    /// A packet of one of the streams.
    private struct Packet {
        var stream: Int
        var bytes: Range<Int>
        /// Records before this clock value are left out.
        var since: UInt64 = 0
    }

    private static func bytes(of packets: [Packet]) -> Int { packets.reduce(0) { $0 + $1.bytes.count } }

    /// Runs of packets of about so many bytes.
    private static func chunks(of packets: [Packet], _ size: Int) -> [ArraySlice<Packet>] {
        var chunks: [ArraySlice<Packet>] = []
        var (begin, bytes) = (0, 0)
        for (position, packet) in packets.enumerated() {
            bytes += packet.bytes.count
            guard bytes >= size || position == packets.count - 1 else { continue }
            chunks.append(packets[begin...position])
            (begin, bytes) = (position + 1, 0)
        }
        return chunks
    }

    private struct Submission {
        var stream: Int
        var place: RecordPlace
        var descriptions: [RecordPlace] = []
        var clock: UInt64 { place.clock }
    }

    /// Finds the submissions of the items that begin in packets that are decoded.
    ///
    /// - Returns: for each stream their records.
    func beginningItems() -> [[RecordPlace]] { byStream(search(beginning, reach: Self.reach)) }

    /// From when on packets have to be decoded so that they have these submissions; more
    /// packets than these are not worth it.
    ///
    /// - Parameter reach: bytes of packets.
    /// - Returns: the clock; nil when nothing is submitted before the packets that are decoded anyway.
    func earliestSubmission(reach: Int) -> UInt64? {
        let found = search(beginning, reach: reach)
        return found.map(\.clock).min()
    }

    /// Finds the submissions of items that run. Of a submission that is open itself, as the call of a sync is, it finds
    /// what adds to it, which stands in the same packet.
    ///
    /// - Parameter begins: by stream, the records with which they began, or were submitted.
    /// - Returns: for each stream their records.
    func runningItems(_ begins: [Int: [RecordPlace]]) -> [[RecordPlace]] {
        var found: [Submission] = []
        for (stream, places) in begins {
            for place in places {
                let packet = streams[stream].index.range(of: place.packet, in: streams[stream].file)
                var wanted: [ItemRecord] = []
                var submitted = UInt64.max
                RecordWalk(file: streams[stream].file, trace: trace).run(packet) { record in
                    let role = roles[record.layout.pointee.classIndex]
                    guard record.place.start >= place.start, role.item >= 0, let id = record.number(role.item),
                        id != .max
                    else { return }
                    if record.place.start > place.start {
                        guard role.describesItem, id == submitted else { return }
                        found.append(Submission(stream: stream, place: record.place))
                    } else if role.submits {
                        submitted = id
                    } else {
                        wanted.append(ItemRecord(id: id, clock: place.clock, isBegin: true))
                    }
                }
                found += search(WantedItems(wanted), reach: Self.reachOfOne)
            }
        }
        return byStream(found)
    }

    private func byStream(_ submissions: [Submission]) -> [[RecordPlace]] {
        var places = [[RecordPlace]](repeating: [], count: streams.count)
        for submission in submissions {
            places[submission.stream].append(submission.place)
            places[submission.stream] += submission.descriptions
        }
        return places
    }

    /// A record that tells of the submission of an item that begins later.
    private struct Hit {
        /// The item, as ``WantedItems`` numbers it.
        var item: Int
        var stream: Int
        var place: RecordPlace
        var describesItem: Bool
    }

    /// Goes back through the packets that are not decoded.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - reach: bytes to go back.
    /// - Returns: for each item its last submission before it began; nothing for an item without one.
    private func search(_ items: WantedItems, reach: Int) -> [Submission] {
        guard items.count > 0 else { return [] }
        var found: [Submission] = []
        /// By item, its place among those found.
        var places: [Int32] = Array(repeating: -1, count: items.capacity)
        var earliest = UInt64.max
        var bytes = 0
        // Most of what is looked for is near.
        var atOnce = Self.searchedFirst
        var backwards = BackwardPackets(streams, before: items.latest)
        defer { backwards.deallocate() }
        while bytes < reach {
            // Another stream may have a later submission of the same id.
            if found.count == items.count, let end = backwards.latestEnd, end < earliest { break }
            var packets: [Packet] = []
            let begin = bytes
            while bytes < reach, bytes - begin < atOnce, let packet = backwards.next() {
                packets.append(packet)
                bytes += packet.bytes.count
            }
            if packets.isEmpty { break }
            let chunks = Self.chunks(of: packets, max(atOnce / Self.chunkCount, Self.searchedFirst))
            atOnce = min(2 * atOnce, Self.searchedAtOnce)
            for hit in chunks.concurrentMap({ collect(in: $0, items) }).joined() {
                let known = places[hit.item]
                if hit.describesItem {
                    // It stands behind the submission, in the same stream.
                    guard known >= 0, found[Int(known)].stream == hit.stream, found[Int(known)].clock <= hit.place.clock
                    else { continue }
                    found[Int(known)].descriptions.append(hit.place)
                } else if known < 0 {
                    places[hit.item] = Int32(found.count)
                    found.append(Submission(stream: hit.stream, place: hit.place))
                    earliest = min(earliest, hit.place.clock)
                } else if found[Int(known)].clock <= hit.place.clock {
                    found[Int(known)] = Submission(stream: hit.stream, place: hit.place)
                    earliest = min(earliest, hit.place.clock)
                }
            }
        }
        return found
    }

    private func collect(in packets: ArraySlice<Packet>, _ items: WantedItems) -> [Hit] {
        var hits: [Hit] = []
        for packet in packets {
            RecordWalk(file: streams[packet.stream].file, trace: trace).run(packet.bytes) { record in
                let role = roles[record.layout.pointee.classIndex]
                guard role.submits || role.describesItem, let id = record.number(role.item),
                    let item = items.number(of: id, from: record.place.clock)
                else { return }
                hits.append(
                    Hit(item: item, stream: packet.stream, place: record.place, describesItem: role.describesItem))
            }
        }
        return hits
    }

    /// The packets that are not decoded, the latest end first.
    private struct BackwardPackets {
        private let streams: [Stream]
        /// By stream, how many packets are left.
        private var left: [Int]
        /// By the ends of these, the latest first.
        private var heap: StreamHeap

        /// - Parameters:
        ///   - streams: the streams.
        ///   - latest: packets that begin later are left out.
        init(_ streams: [Stream], before latest: UInt64) {
            self.streams = streams
            left = streams.map { stream in
                guard let begin = stream.excerpt?.packets.lowerBound else { return 0 }
                let isLater = { (packet: PacketIndex.Packet) in
                    packet.offset >= begin || packet.begin ?? 0 > latest
                }
                return stream.index.packets.firstIndex(where: isLater) ?? stream.index.packets.count
            }
            heap = StreamHeap(capacity: streams.count)
            for stream in left.indices where left[stream] > 0 { heap.insert(stream, key: ~end(of: stream)) }
        }

        func deallocate() { heap.deallocate() }

        private func end(of stream: Int) -> UInt64 { streams[stream].index.endClock(at: left[stream] - 1) }

        /// When the next packet ends.
        var latestEnd: UInt64? { heap.first.map(end) }

        mutating func next() -> Packet? {
            guard let stream = heap.first else { return nil }
            left[stream] -= 1
            let offset = streams[stream].index.packets[left[stream]].offset
            if left[stream] > 0 { _ = heap.settleFirst(key: ~end(of: stream)) } else { heap.removeFirst() }
            return Packet(stream: stream, bytes: streams[stream].index.range(of: offset, in: streams[stream].file))
        }
    }
}
