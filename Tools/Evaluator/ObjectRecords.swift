/// The records of a recording that say what a group, semaphore, source or queue is, which a finding about it rests upon.
struct ObjectRecords {
    /// A record, in the analysis's terms.
    struct Moment {
        let nanoseconds: Int64
        let tid: UInt32
    }

    private struct Entry {
        let time: UInt64
        let tid: UInt32
        let event: String
        let isDefinition: Bool
    }

    /// What of a piece of evidence must be there.
    struct Grounds {
        /// All of these.
        var all: [Moment] = []
        /// One of these, unless there are none.
        var any: [Moment] = []
    }

    /// What a source is set up and switched on and off with.
    private static let setUp: Set = [
        "source_set_handler", "timer_configure", "object_activate", "object_suspend", "object_resume",
    ]

    private let clock: TraceClock
    /// By id.
    private var objects: [UInt64: [Entry]] = [:]
    /// By serial number.
    private var queues: [UInt64: [Entry]] = [:]

    init(_ trace: RecordedTrace) {
        clock = TraceClock(trace)
        for stream in trace.streams {
            for record in stream.records {
                let entry = Entry(
                    time: record.time, tid: record.owner, event: record.event, isDefinition: stream.isDefinitions)
                for field in ["group", "semaphore", "source", "object"] {
                    if let id = record.number(in: field) { objects[id, default: []].append(entry) }
                }
                if let serial = record.number(in: "queue") { queues[serial, default: []].append(entry) }
            }
        }
        for id in objects.keys { objects[id]?.sort { $0.time < $1.time } }
    }

    /// What the record of a thread rests upon that is about such an object.
    ///
    /// - Parameters:
    ///   - nanoseconds: when it was recorded.
    ///   - tid: by whom; definitions are found by their time.
    ///   - event: what the evidence calls it.
    ///   - countsMembers: the finding is about how often a group was entered and left.
    func grounds(at nanoseconds: Int64, tid: UInt32, event: String, countsMembers: Bool) -> Grounds {
        let times = clock.ticks(around: nanoseconds)
        func isIt(_ entry: Entry) -> Bool {
            times.contains(entry.time) && (entry.isDefinition ? entry.event == event : entry.tid == tid)
        }
        var grounds = Grounds()
        for entries in objects.values {
            guard let place = entries.firstIndex(where: isIt) else { continue }
            // The id may have been another object's before, and be one's later.
            func makes(_ entry: Entry) -> Bool { entry.event.hasSuffix("_create") }
            let begin = entries[...place].lastIndex(where: makes) ?? entries.startIndex
            let end = entries[(place + 1)...].firstIndex(where: makes) ?? entries.endIndex
            grounds.all += entries[begin..<end].filter { entry in
                entry.event == "semaphore_create" || Self.setUp.contains(entry.event)
                    || countsMembers && entry.event.hasPrefix("group_")
            }.map(moment)
        }
        if event == "queue_create", let entries = queues.values.first(where: { $0.contains(where: isIt) }) {
            grounds.any = entries.filter { !$0.isDefinition }.map(moment)
        }
        return grounds
    }

    private func moment(_ entry: Entry) -> Moment {
        Moment(nanoseconds: clock.nanoseconds(at: entry.time), tid: entry.tid)
    }
}
