import DispatchModel

/// Misuses by kind of object and code: what `MutationAfterActivation` and its relatives report as one finding.
struct MisuseGroups {
    /// Misuses of one kind of object from one place.
    struct Group {
        fileprivate static let evidenceLimit = 12

        /// What was changed, such as `event handler`, or the new target.
        let detail: String
        /// The objects, such as `read sources on news.connection.*`.
        let subject: String
        let isSource: Bool
        let code: CodeIndex
        fileprivate(set) var count = 0
        fileprivate(set) var evidence: [Misuse] = []
        fileprivate(set) var queues = DistinctIndices<QueueIndex>()
        fileprivate(set) var objects = DistinctValues<Misuse.Object>()
        fileprivate(set) var begin = Timestamp.zero
        fileprivate(set) var end = Timestamp.zero

        /// `, 32 times`, or nothing for once.
        var times: String { count == 1 ? "" : ", \(Figures.count(count)) times" }

        /// `at App/Main.swift:12 `, or nothing when the code is unknown.
        func codeDescription(in model: DispatchModel) -> String {
            code == .unknown ? "" : "at \(model[code].description) "
        }

        /// ` at App/Main.swift:10`, or nothing when the code is unknown.
        func activationDescription(in model: DispatchModel) -> String {
            guard let activation = evidence.first?.activationCode, activation != .unknown else { return "" }
            return " at \(model[activation].description)"
        }
    }

    private struct Key: Hashable {
        let subject: String
        let detail: String
        let code: CodeIndex
    }

    private(set) var groups: [Group] = []
    private var places: [Key: Int] = [:]

    /// Adds a misuse.
    ///
    /// - Parameters:
    ///   - misuse: what happened.
    ///   - detail: what was changed, or into what.
    ///   - others: further queues that it concerns, more important than the object's own.
    ///   - model: the entities.
    mutating func add(_ misuse: Misuse, detail: String, others: [QueueIndex] = [], in model: DispatchModel) {
        let key = Key(subject: Self.subject(of: misuse.object, in: model), detail: detail, code: misuse.code)
        let place = places[key] ?? groups.count
        if place == groups.count {
            places[key] = place
            var isSource = true
            if case .queue = misuse.object { isSource = false }
            groups.append(Group(detail: detail, subject: key.subject, isSource: isSource, code: misuse.code))
            groups[place].begin = misuse.time
        }
        for queue in others { groups[place].queues.insert(queue) }
        groups[place].count += 1
        groups[place].end = misuse.time
        groups[place].objects.insert(misuse.object)
        if groups[place].evidence.count < Group.evidenceLimit { groups[place].evidence.append(misuse) }
        switch misuse.object {
        case .queue(let queue): groups[place].queues.insert(queue)
        case .source(let source): if let queue = model[source].queue { groups[place].queues.insert(queue) }
        case .unknown: break
        }
    }

    /// The object with the numbers in its queue's label left out, so that alike objects are one group.
    private static func subject(of object: Misuse.Object, in model: DispatchModel) -> String {
        if case .unknown = object { return "an object whose creation was not recorded" }
        return LabelPattern.pattern(of: model.name(of: object))
    }
}

extension MisuseGroups.Group {
    /// The finding for this group; it costs no time that could be measured.
    func finding(
        detector: String, severity: Finding.Severity, event: String, summary: String, evidence text: String,
        advice: String, in model: DispatchModel
    ) -> Finding {
        var codes = [code]
        var stacks: [(title: String, stack: StackIndex)] = []
        if let first = evidence.first {
            codes.append(first.activationCode)
            stacks = [("Stack of the call", first.stack), ("Stack of the activation", first.activationStack)]
        }
        return Finding(
            detector: detector, severity: severity, summary: summary, queues: queues.elements, begin: begin, end: end,
            cost: .zero, occurrences: count,
            measures: [("calls", Figures.count(count)), ("objects", Figures.count(objects.count))],
            evidence: evidence.map { misuse in
                let since = misuse.activatedAt.map { ", \(misuse.time - $0) after its activation" } ?? ""
                return Evidence(
                    time: misuse.time, thread: misuse.thread, event: event,
                    detail: "\(model.name(of: misuse.object)): \(text)\(since).")
            },
            code: codes.filter { $0 != .unknown }, stacks: stacks.filter { $0.stack != .none }, advice: advice)
    }
}
