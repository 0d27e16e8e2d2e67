import DispatchModel

/// Misuses grouped by kind of object and code. `MutationAfterActivation` and similar detectors report each group as one
/// finding.
struct MisuseGroups {
    /// One misuse, with the name that the object had at that time: a source may be on another queue at the end of the
    /// trace.
    struct Case {
        let misuse: Misuse
        let object: String
        /// The handler that was changed, or the name of the new target.
        let detail: String
    }

    /// Misuses of one kind of object by one place in the code.
    struct Group {
        fileprivate static let evidenceLimit = 12

        /// The handler that was changed, such as `event handler`, or the new target.
        let detail: String
        /// The objects, such as `read sources on news.connection.*`.
        let subject: String
        let isSource: Bool
        let code: CodeIndex
        fileprivate(set) var count = 0
        fileprivate(set) var evidence: [Case] = []
        /// Queues that the finding lists before the queues of the objects, such as the new target.
        fileprivate(set) var foremostQueues = DistinctIndices<QueueIndex>()
        fileprivate(set) var queues = DistinctIndices<QueueIndex>()
        fileprivate(set) var objects = DistinctValues<ObservedObject>()
        let begin: Timestamp
        fileprivate(set) var end = Timestamp.zero

        /// `, 32 times`, or empty for one misuse.
        var times: String { Figures.times(count) }

        /// ` at App/Main.swift:10`, or empty when the code is unknown.
        func activation(in model: DispatchModel) -> CodePlace {
            model.place(of: evidence.first?.misuse.activationCode)
        }
    }

    private struct Key: Hashable {
        let subject: String
        let detail: String
        let code: CodeIndex
        /// Objects whose creation was not recorded all have the same subject, so queues and sources need this
        /// distinction.
        let isSource: Bool
    }

    private var table = FindingGroups<Key, Group>()

    var groups: [Group] { table.groups }

    /// Adds a misuse.
    ///
    /// - Parameters:
    ///   - misuse: the misuse.
    ///   - detail: the handler that was changed, or the new target. Details that differ only in numbers are equal.
    ///   - foremost: a queue that the finding lists before the queue of the object.
    ///   - library: the system library that the code belongs to. All misuses by one library are one group.
    ///   - model: the entities.
    mutating func add(
        _ misuse: Misuse, detail: String, foremost: QueueIndex? = nil, library: String? = nil, in model: DispatchModel
    ) {
        let pattern = LabelPattern.of(detail)
        let key = Key(
            subject: library.map { "sources of \($0)" } ?? Self.subject(of: misuse.object, in: model), detail: pattern,
            code: library == nil ? misuse.code : .unknown, isSource: Self.isSource(misuse.object))
        let group = Group(
            detail: pattern, subject: key.subject, isSource: key.isSource, code: misuse.code, begin: misuse.time)
        table[key, default: group].add(misuse, detail: detail, foremost: foremost, in: model)
    }

    private static func isSource(_ object: ObservedObject) -> Bool {
        switch object {
        case .queue: false
        case .source: true
        case .unknown(_, let kind): kind == .source
        }
    }

    /// The name of the object without the numbers in its queue's label, so that similar objects are one group.
    private static func subject(of object: ObservedObject, in model: DispatchModel) -> String {
        if case .unknown = object { return "an object whose creation was not recorded" }
        return LabelPattern.of(model.name(of: object))
    }
}

extension MisuseGroups.Group {
    fileprivate mutating func add(
        _ misuse: Misuse, detail: String, foremost: QueueIndex?, in model: DispatchModel
    ) {
        if let foremost { foremostQueues.insert(foremost) }
        count += 1
        end = misuse.time
        objects.insert(misuse.object)
        if evidence.count < Self.evidenceLimit {
            evidence.append(
                MisuseGroups.Case(misuse: misuse, object: model.name(of: misuse.object), detail: detail))
        }
        switch misuse.object {
        case .queue(let queue): queues.insert(queue)
        case .source(let source): if let queue = model[source].queue { queues.insert(queue) }
        case .unknown: break
        }
    }

    /// Returns the finding for this group. Its cost is zero: a misuse costs no measurable time.
    ///
    /// - Parameters:
    ///   - detector: the id of the detector.
    ///   - severity: the severity.
    ///   - event: the name of the event that recorded the misuses.
    ///   - summary: one sentence.
    ///   - fact: converts the detail of a misuse to a fact, such as `event handler set`.
    ///   - advice: the remedy.
    ///   - model: the entities.
    /// - Returns: the finding, not yet numbered.
    func finding(
        detector: String, severity: Finding.Severity, event: String, summary: String, fact: (String) -> String,
        advice: Advice, in model: DispatchModel
    ) -> Finding {
        var codes = [code]
        var stacks: [(title: String, stack: StackIndex)] = []
        var concerned = foremostQueues
        for queue in queues.elements { concerned.insert(queue) }
        if let first = evidence.first?.misuse {
            codes.append(first.activationCode)
            stacks = [("Stack of the call", first.stack), ("Stack of the activation", first.activationStack)]
        }
        var finding = Finding(
            detector: detector, severity: severity, summary: summary, queues: concerned.elements, begin: begin,
            end: end, cost: .zero, occurrences: count,
            measures: [.count("calls", count), .count("objects", objects.count)],
            evidence: evidence.map { entry in
                let misuse = entry.misuse
                let since = misuse.activatedAt.map { ", \(misuse.time - $0) after its activation" } ?? ""
                return Evidence(
                    time: misuse.time, thread: misuse.thread, event: event,
                    detail: "\(entry.object): \(fact(entry.detail))\(since).")
            },
            code: codes, stacks: stacks.filter { $0.stack != .none }, advice: advice)
        finding.distinction = detail
        return finding
    }
}
