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

    /// The search goes back over so many bytes of packets.
    private static let reach = 24 << 20
    private static let reachOfOne = 4 << 20

    private let trace: TracePlan
    private let roles: [WindowRole]
    private let streams: [Stream]
    /// The items that begin in packets that are decoded.
    private let beginning: Begins

    /// - Parameters:
    ///   - trace: how packets are decoded.
    ///   - roles: by position of the event class.
    ///   - streams: the streams.
    ///   - earlier: a search in the same streams, of which the last of these packets are decoded.
    init(_ trace: TracePlan, roles: [WindowRole], streams: [Stream], extending earlier: SubmissionSearch? = nil) {
        self.trace = trace
        self.roles = roles
        self.streams = streams
        var begins = earlier?.beginning ?? Begins()
        for (number, stream) in streams.enumerated() {
            guard let packets = stream.excerpt?.packets else { continue }
            let known = earlier?.streams[number].excerpt?.packets.lowerBound ?? packets.upperBound
            Self.note(packets.lowerBound..<max(packets.lowerBound, known), of: stream, in: &begins, trace, roles)
        }
        beginning = begins
    }

    /// When an item begins of which the submission is wanted, by its id: open addressing, as every record of an item is
    /// looked up.
    private struct Begins {
        private var ids: [UInt64] = Array(repeating: .max, count: 1024)
        private var clocks: [UInt64] = Array(repeating: 0, count: 1024)
        private var isWanted: [Bool] = Array(repeating: false, count: 1024)
        private var count = 0

        init() {}

        @inline(__always)
        private func place(of id: UInt64) -> Int {
            let mask = ids.count - 1
            var place = Int(truncatingIfNeeded: (id &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
            while ids[place] != id, ids[place] != .max { place = (place + 1) & mask }
            return place
        }

        /// Notes a record; the earliest one of an id says whether its submission is wanted.
        @inline(__always)
        mutating func note(_ id: UInt64, at clock: UInt64, isBegin: Bool) {
            let place = place(of: id)
            if ids[place] == id, clocks[place] <= clock { return }
            if ids[place] == .max { count += 1 }
            ids[place] = id
            clocks[place] = clock
            isWanted[place] = isBegin
            if count * 2 > ids.count { grow() }
        }

        private mutating func grow() {
            let (oldIDs, oldClocks, oldWanted) = (ids, clocks, isWanted)
            ids = Array(repeating: .max, count: oldIDs.count * 2)
            clocks = Array(repeating: 0, count: oldIDs.count * 2)
            isWanted = Array(repeating: false, count: oldIDs.count * 2)
            count = 0
            for place in oldIDs.indices where oldIDs[place] != .max {
                note(oldIDs[place], at: oldClocks[place], isBegin: oldWanted[place])
            }
        }

        /// When the item begins; nil when its submission is not wanted.
        @inline(__always)
        subscript(id: UInt64) -> UInt64? {
            let place = place(of: id)
            return ids[place] == id && isWanted[place] ? clocks[place] : nil
        }

        /// How many are wanted, and the latest begin.
        var wanted: Int { isWanted.count { $0 } }
        var latest: UInt64 { zip(clocks, isWanted).reduce(0) { $1.1 ? max($0, $1.0) : $0 } }
    }

    private struct Submission {
        var stream: Int
        var places: [RecordPlace]
        var clock: UInt64 { places[0].clock }
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

    private static func note(
        _ packets: Range<Int>, of stream: Stream, in begins: inout Begins, _ trace: TracePlan, _ roles: [WindowRole]
    ) {
        RecordWalk(file: stream.file, trace: trace).run(packets) { record in
            let role = roles[record.layout.pointee.classIndex]
            guard role.item >= 0, !role.describesItem, let id = record.number(role.item) else { return }
            begins.note(id, at: record.place.clock, isBegin: !role.submits)
        }
    }

    /// Finds the submissions of items that run.
    ///
    /// - Parameter begins: by stream, the records with which they began.
    /// - Returns: for each stream their records.
    func runningItems(_ begins: [Int: [RecordPlace]]) -> [[RecordPlace]] {
        var found: [Submission] = []
        for (stream, places) in begins {
            for place in places {
                let packet = streams[stream].index.range(of: place.packet, in: streams[stream].file)
                var wanted = Begins()
                RecordWalk(file: streams[stream].file, trace: trace).run(packet) { record in
                    let role = roles[record.layout.pointee.classIndex]
                    guard record.place.start == place.start, role.item >= 0, let id = record.number(role.item) else {
                        return
                    }
                    wanted.note(id, at: place.clock, isBegin: true)
                }
                found += search(wanted, reach: Self.reachOfOne)
            }
        }
        return byStream(found)
    }

    private func byStream(_ submissions: [Submission]) -> [[RecordPlace]] {
        var places = [[RecordPlace]](repeating: [], count: streams.count)
        for submission in submissions { places[submission.stream] += submission.places }
        return places
    }

    /// Goes back through the packets that are not decoded.
    ///
    /// - Parameters:
    ///   - begins: when items began.
    ///   - reach: bytes to go back.
    /// - Returns: for each item its last submission before it began; nothing for an item without one.
    private func search(_ begins: Begins, reach: Int) -> [Submission] {
        let wanted = begins.wanted
        guard wanted > 0 else { return [] }
        var found: [UInt64: Submission] = [:]
        var earliest = UInt64.max
        var bytes = 0
        for (stream, packets) in packets(before: begins.latest) {
            let end = streams[stream].index.endClock(at: packets.position)
            // Another stream may have a later submission of the same id.
            if found.count == wanted, end < earliest { break }
            guard bytes < reach else { break }
            bytes += packets.range.count
            RecordWalk(file: streams[stream].file, trace: trace).run(packets.range) { record in
                let role = roles[record.layout.pointee.classIndex]
                guard role.submits || role.describesItem, let id = record.number(role.item),
                    let begin = begins[id], record.place.clock <= begin
                else { return }
                if role.describesItem {
                    // It stands behind the submission, in the same stream.
                    if found[id]?.stream == stream, found[id]!.clock <= record.place.clock {
                        found[id]!.places.append(record.place)
                    }
                } else if found[id].map({ $0.clock <= record.place.clock }) ?? true {
                    found[id] = Submission(stream: stream, places: [record.place])
                    earliest = min(earliest, record.place.clock)
                }
            }
        }
        return Array(found.values)
    }

    /// The packets that are not decoded, the latest end first.
    private func packets(before latest: UInt64) -> [(stream: Int, packets: (position: Int, range: Range<Int>))] {
        var all: [(stream: Int, packets: (position: Int, range: Range<Int>))] = []
        for (number, stream) in streams.enumerated() {
            guard let excerpt = stream.excerpt else { continue }
            for (position, packet) in stream.index.packets.enumerated() {
                guard packet.offset < excerpt.packets.lowerBound, packet.begin ?? 0 <= latest else { break }
                all.append((number, (position, stream.index.range(of: packet.offset, in: stream.file))))
            }
        }
        func end(_ entry: (stream: Int, packets: (position: Int, range: Range<Int>))) -> UInt64 {
            streams[entry.stream].index.endClock(at: entry.packets.position)
        }
        return all.sorted { end($0) > end($1) }
    }
}
