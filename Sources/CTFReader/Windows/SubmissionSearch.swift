/// Finds the submissions of the items that begin in a window or are running when it begins.
///
/// ```
///   stream 0   ──s──────────s──────────├──────────────     s  submits an item
///   stream 1   ────────b────────────b──├──b─────b─────     b  begins one
///                                      ↑ decoded from here
/// ```
///
/// An item id is reused after the item is over, so the last submission before the begin counts. The search goes
/// backwards packet by packet until every submission is found. Its reach is limited, because the submissions of some
/// items are not recorded.
struct SubmissionSearch {
    /// A data stream and the part of it that is decoded.
    struct Stream {
        var file: MappedFile
        var index: PacketIndex
        var excerpt: StreamExcerpt?
    }

    /// The largest number of bytes that the search reads, backwards from the window, for the submissions of all items
    /// that begin in the window.
    private static let reach = 24 << 20
    /// The largest number of bytes that the search reads for the submission of one item that runs.
    private static let reachOfOne = 4 << 20
    /// Largest step of the search in bytes.
    private static let searchedAtOnce = 2 << 20
    /// First step of the search in bytes. Each step doubles.
    private static let searchedFirst = 64 << 10
    /// Number of chunks of packets that are searched in parallel.
    private static let chunkCount = 8
    /// Largest size of a chunk in bytes.
    private static let chunkSize = 2 << 20

    private let trace: TracePlan
    private let roles: [WindowRole]
    private let streams: [Stream]
    /// The items that begin in the decoded packets.
    private let beginning: WantedItems
    /// The first record of each item in the decoded packets.
    private let firsts: FirstRecords

    /// - Parameters:
    ///   - trace: the decoding plan of the trace.
    ///   - roles: the roles of the event classes, by index.
    ///   - streams: the streams.
    ///   - earlier: a search in the same streams whose decoded packets are the last of these.
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

    /// Collects the records that begin or submit items.
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
        /// Earlier records are ignored.
        var since: UInt64 = 0
    }

    private static func bytes(of packets: [Packet]) -> Int { packets.reduce(0) { $0 + $1.bytes.count } }

    /// Splits packets into runs of about `size` bytes.
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

    /// Finds the submissions of the items that begin in the decoded packets.
    ///
    /// - Returns: for each stream the records of the submissions.
    func beginningItems() -> [[RecordPlace]] { byStream(search(beginning, reach: Self.reach)) }

    /// The earliest of these submissions. Packets have to be decoded from there on to include all of them.
    ///
    /// - Parameter reach: limit of the search in bytes of packets.
    /// - Returns: the clock value; nil when no item is submitted before the decoded packets.
    func earliestSubmission(reach: Int) -> UInt64? {
        let found = search(beginning, reach: reach)
        return found.map(\.clock).min()
    }

    /// Finds the submissions of running items. If the submission itself is an open record, such as the call of a sync,
    /// it finds the records in the same packet that describe the item.
    ///
    /// - Parameter begins: by stream, the open records that begin or submit items.
    /// - Returns: for each stream the records of the submissions.
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

    /// A record that submits or describes an item that begins later.
    private struct Hit {
        /// The number of the item in ``WantedItems``.
        var item: Int
        var stream: Int
        var place: RecordPlace
        var describesItem: Bool
    }

    /// Searches backwards through the packets that are not decoded.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - reach: limit of the search in bytes.
    /// - Returns: the last submission of each item before its begin, if one was found.
    private func search(_ items: WantedItems, reach: Int) -> [Submission] {
        guard items.count > 0 else { return [] }
        var found: [Submission] = []
        /// Index of each item in `found`; -1 for none.
        var places: [Int32] = Array(repeating: -1, count: items.capacity)
        var earliest = UInt64.max
        var bytes = 0
        // Most submissions are near, so the first step is small.
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
                    // A description follows its submission in the same stream.
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

    /// The packets that are not decoded, latest end first.
    private struct BackwardPackets {
        private let streams: [Stream]
        /// Number of remaining packets of each stream.
        private var left: [Int]
        /// The streams, ordered by the ends of their next packets, latest first.
        private var heap: StreamHeap

        /// - Parameters:
        ///   - streams: the streams.
        ///   - latest: packets that begin later are excluded.
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

        /// The end of the next packet.
        var latestEnd: UInt64? { heap.first.map(end) }

        mutating func next() -> Packet? {
            guard let stream = heap.first else { return nil }
            left[stream] -= 1
            let offset = streams[stream].index.packets[left[stream]].offset
            if left[stream] > 0 { _ = heap.updateFirst(key: ~end(of: stream)) } else { heap.removeFirst() }
            return Packet(stream: stream, bytes: streams[stream].index.range(of: offset, in: streams[stream].file))
        }
    }
}
