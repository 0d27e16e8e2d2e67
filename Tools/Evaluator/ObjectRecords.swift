/// The records that describe a group, semaphore, source or queue, which findings about the object depend on.
struct ObjectRecords {
    /// A record, by the analysis's time and the thread.
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

    /// The records that must be present for a piece of evidence.
    struct Grounds {
        /// All of these must be present.
        var all: [Moment] = []
        /// At least one of these must be present; no requirement if it is empty.
        var any: [Moment] = []
    }

    /// Events that set up, activate, suspend and resume a source.
    private static let setUp: Set = [
        "source_set_handler", "timer_configure", "object_activate", "object_suspend", "object_resume",
    ]

    private let clock: TraceClock
    /// Records of each object, by object id.
    private var objects: [UInt64: [Entry]] = [:]
    /// Records of each queue, by serial number.
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

    /// The records that a record about such an object depends on.
    ///
    /// - Parameters:
    ///   - nanoseconds: the time of the record.
    ///   - tid: the thread of the record; definitions are found by their time and event only.
    ///   - event: the name of the event in the evidence.
    ///   - countsMembers: whether the finding is about the numbers of enters and leaves of a group.
    func grounds(at nanoseconds: Int64, tid: UInt32, event: String, countsMembers: Bool) -> Grounds {
        let times = clock.ticks(around: nanoseconds)
        func isIt(_ entry: Entry) -> Bool {
            times.contains(entry.time) && (entry.isDefinition ? entry.event == event : entry.tid == tid)
        }
        var grounds = Grounds()
        for entries in objects.values {
            guard let place = entries.firstIndex(where: isIt) else { continue }
            // Other objects may have had the same id before and after this one.
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
