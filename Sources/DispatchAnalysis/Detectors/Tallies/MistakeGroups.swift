import DispatchModel

/// Cases of one mistake, grouped by place and kind of object. Each group becomes one finding, whatever its number of
/// cases.
///
/// Memory grows with the number of groups, not with the number of cases.
struct MistakeGroups {
    /// One case, with its evidence.
    struct Case {
        let time: Timestamp
        let thread: ThreadIndex
        /// The name of the event in the event catalogue.
        let event: String
        private let makeDetail: () -> String

        /// - Parameters:
        ///   - time: the time of the case.
        ///   - thread: the thread of the case.
        ///   - event: the name of the event in the event catalogue.
        ///   - detail: one line of text. It is created with the finding, because code has no names before that.
        init(time: Timestamp, thread: ThreadIndex, event: String, detail: @autoclosure @escaping () -> String) {
            self.time = time
            self.thread = thread
            self.event = event
            makeDetail = detail
        }

        /// One line of text.
        var detail: String { makeDetail() }
    }

    /// The properties that the cases of a group share.
    struct Key: Hashable {
        /// The objects, without the numbers in their labels: `read source on news.connection.*`.
        let subject: String
        /// The place of the mistake.
        let code: CodeIndex
        /// A further property that distinguishes groups.
        var distinction = ""
    }

    /// Cases of one kind of object at one place.
    struct Group {
        fileprivate static let evidenceLimit = 12

        let key: Key
        fileprivate(set) var count = 0
        fileprivate(set) var cost = Nanoseconds.zero
        fileprivate(set) var longest = Nanoseconds.zero
        fileprivate(set) var cases: [Case] = []
        fileprivate(set) var queues = DistinctIndices<QueueIndex>()
        fileprivate(set) var begin = Timestamp.distantFuture
        fileprivate(set) var end = Timestamp.zero
        /// Further code of the finding, such as the place of the activation.
        fileprivate(set) var codes = DistinctIndices<CodeIndex>()
        /// The stacks of the first case with stacks.
        fileprivate(set) var stacks: [(title: String, stack: StackIndex)] = []

        /// `, 32 times`, or empty for one case.
        var times: String { Figures.times(count) }

        /// ` created at App/Main.swift:12`, or empty when the code is unknown.
        func making(in model: DispatchModel) -> CodePlace {
            CodePlace(key.code == .unknown ? "" : " created\(place(in: model))")
        }

        /// ` at App/Main.swift:12`, or empty when the code is unknown.
        func place(in model: DispatchModel) -> CodePlace { model.place(of: key.code) }
    }

    private var table = FindingGroups<Key, Group>()

    var groups: [Group] { table.groups }

    /// Adds a case to its group.
    ///
    /// - Parameters:
    ///   - key: the key of the group.
    ///   - time: the time of the case.
    ///   - queue: the queue of the case; nil if there is none.
    ///   - codes: further code of the finding, in addition to the code of the key.
    ///   - stacks: titles and stacks. Stacks that were not recorded are left out.
    ///   - cost: the time lost.
    ///   - begin: the begin of the time span that proves the case; nil for `time`.
    ///   - end: the end of this time span; nil for `time`.
    ///   - entry: creates the case. It is called only while the group has room for evidence.
    mutating func add(
        _ key: Key, at time: Timestamp, queue: QueueIndex?, codes: [CodeIndex] = [],
        stacks: [(title: String, stack: StackIndex)] = [], cost: Nanoseconds = .zero, since begin: Timestamp? = nil,
        until end: Timestamp? = nil, entry: () -> Case
    ) {
        table[key, default: Group(key: key)].add(
            from: begin ?? time, to: end ?? time, queue: queue, codes: codes, stacks: stacks, cost: cost, entry: entry)
    }
}

extension MistakeGroups.Group {
    fileprivate mutating func add(
        from begin: Timestamp, to end: Timestamp, queue: QueueIndex?, codes: [CodeIndex],
        stacks: [(title: String, stack: StackIndex)], cost: Nanoseconds, entry: () -> MistakeGroups.Case
    ) {
        count += 1
        self.cost += cost
        longest = max(longest, cost)
        self.begin = min(self.begin, begin)
        self.end = max(self.end, end)
        if let queue { queues.insert(queue) }
        if cases.count < Self.evidenceLimit { cases.append(entry()) }
        if self.codes.count < Self.evidenceLimit {
            for code in codes where code != .unknown { self.codes.insert(code) }
        }
        if self.stacks.isEmpty { self.stacks = stacks.filter { $0.stack != .none } }
    }
}

extension MistakeGroups.Group {
    /// Returns the finding for this group.
    ///
    /// - Parameters:
    ///   - detector: the id of the detector.
    ///   - severity: the severity.
    ///   - summary: one sentence.
    ///   - measures: the measures, in addition to the number of cases.
    ///   - codes: further code, in addition to the code of the cases.
    ///   - advice: the remedy.
    ///   - cost: the time lost, if it is not the sum over the cases.
    /// - Returns: the finding, not yet numbered.
    func finding(
        _ detector: String, _ severity: Finding.Severity, summary: String,
        measures: [Measure] = [], codes further: [CodeIndex] = [], advice: Advice,
        cost: Nanoseconds? = nil
    ) -> Finding {
        var finding = Finding(
            detector: detector, severity: severity, summary: summary, queues: queues.elements, begin: begin, end: end,
            cost: cost ?? self.cost, occurrences: count, measures: [.count("times", count)] + measures,
            evidence: cases.map { Evidence(time: $0.time, thread: $0.thread, event: $0.event, detail: $0.detail) },
            code: DistinctValues([key.code] + codes.elements + further).elements, stacks: stacks, advice: advice)
        finding.distinction = key.distinction
        return finding
    }
}
