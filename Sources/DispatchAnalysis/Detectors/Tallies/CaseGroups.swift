import DispatchModel

/// Cases of one mistake by place and kind of object: what becomes one finding with its count, however often it happens.
///
/// Bounded: it grows with places and kinds of objects, not with cases.
struct CaseGroups {
    /// One case, with what a reader needs to believe it.
    struct Case {
        let time: Timestamp
        let thread: ThreadIndex
        /// In the event catalogue's words.
        let event: String
        private let makeDetail: () -> String

        /// - Parameters:
        ///   - time: when it happened.
        ///   - thread: the thread on which it did.
        ///   - event: its name in the event catalogue.
        ///   - detail: one line for a person; made with the finding, for code has no names before.
        init(time: Timestamp, thread: ThreadIndex, event: String, detail: @autoclosure @escaping () -> String) {
            self.time = time
            self.thread = thread
            self.event = event
            makeDetail = detail
        }

        /// One line for a person.
        var detail: String { makeDetail() }
    }

    /// What cases of a group have in common.
    struct Key: Hashable {
        /// The objects, with the numbers in their labels left out: `read source on news.connection.*`.
        let subject: String
        /// Where the mistake is made.
        let code: CodeIndex
        /// What else tells groups apart.
        var distinction = ""
    }

    /// Cases of one kind of object from one place.
    struct Group {
        fileprivate static let evidenceLimit = 12

        let key: Key
        fileprivate(set) var count = 0
        fileprivate(set) var cost = Nanoseconds.zero
        fileprivate(set) var longest = Nanoseconds.zero
        fileprivate(set) var cases: [Case] = []
        fileprivate(set) var queues = DistinctIndices<QueueIndex>()
        fileprivate(set) var begin = Timestamp.zero
        fileprivate(set) var end = Timestamp.zero
        /// More code than the place of the mistake, such as that of the activation.
        fileprivate(set) var codes = DistinctIndices<CodeIndex>()
        /// The stacks of the first case that has any.
        fileprivate(set) var stacks: [(title: String, stack: StackIndex)] = []

        /// `, 32 times`, or nothing for once.
        var times: String { Figures.times(count) }

        /// ` made at App/Main.swift:12`, or nothing when the code is unknown.
        func making(in model: DispatchModel) -> String { key.code == .unknown ? "" : " made" + place(in: model) }

        /// ` at App/Main.swift:12`, or nothing when the code is unknown.
        func place(in model: DispatchModel) -> String { model.place(of: key.code) }
    }

    private(set) var groups: [Group] = []
    private var places: [Key: Int] = [:]

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - key: the group that it belongs to.
    ///   - time: when it happened.
    ///   - queue: the queue concerned, nil for none.
    ///   - codes: code to look at beside the key's.
    ///   - stacks: titles and stacks; those that were not taken are left out.
    ///   - cost: the time that it cost.
    ///   - begin: since when what was recorded decides about it; nil for its time.
    ///   - end: until when; nil for its time.
    ///   - entry: makes the case; called only while the group keeps evidence.
    mutating func add(
        _ key: Key, at time: Timestamp, queue: QueueIndex?, codes: [CodeIndex] = [],
        stacks: [(title: String, stack: StackIndex)] = [], cost: Nanoseconds = .zero, since begin: Timestamp? = nil,
        until end: Timestamp? = nil, entry: () -> Case
    ) {
        let place = places[key] ?? groups.count
        if place == groups.count {
            places[key] = place
            groups.append(Group(key: key))
            groups[place].begin = begin ?? time
        }
        groups[place].count += 1
        groups[place].cost += cost
        groups[place].longest = max(groups[place].longest, cost)
        groups[place].begin = min(groups[place].begin, begin ?? time)
        groups[place].end = max(groups[place].end, end ?? time)
        if let queue { groups[place].queues.insert(queue) }
        if groups[place].cases.count < Group.evidenceLimit { groups[place].cases.append(entry()) }
        if groups[place].codes.count < Group.evidenceLimit {
            for code in codes where code != .unknown { groups[place].codes.insert(code) }
        }
        if groups[place].stacks.isEmpty { groups[place].stacks = stacks.filter { $0.stack != .none } }
    }
}

extension CaseGroups.Group {
    /// The finding for this group.
    ///
    /// - Parameters:
    ///   - detector: the detector's id.
    ///   - severity: how bad it is.
    ///   - summary: one sentence.
    ///   - measures: the numbers behind it, beside the count.
    ///   - advice: what to do about it.
    ///   - cost: the time lost, where that is not the sum of the cases'.
    /// - Returns: the finding, not yet numbered.
    func finding(
        _ detector: String, _ severity: Finding.Severity, summary: String,
        measures: [(name: String, value: String)] = [], advice: String, cost: Nanoseconds? = nil
    ) -> Finding {
        let codes = ([key.code] + codes.elements.filter { $0 != key.code }).filter { $0 != .unknown }
        var finding = Finding(
            detector: detector, severity: severity, summary: summary, queues: queues.elements, begin: begin, end: end,
            cost: cost ?? self.cost, occurrences: count, measures: [("times", Figures.count(count))] + measures,
            evidence: cases.map { Evidence(time: $0.time, thread: $0.thread, event: $0.event, detail: $0.detail) },
            code: codes, stacks: stacks, advice: advice)
        finding.distinction = key.distinction
        return finding
    }
}
