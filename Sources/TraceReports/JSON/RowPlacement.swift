import DispatchAnalysis
import DispatchModel

/// Where the rows of one process stand in a report that may have several: whose they are, and how their numbers and times
/// become those of the document.
struct RowPlacement {
    let host: String
    let pid: Int
    /// Added to the numbers of queues.
    let queueOffset: Int
    /// Added to times.
    let timeOffset: Nanoseconds
    /// The document's ids of the process's findings; those that are not named keep theirs.
    let findingIDs: [String: String]

    /// The placement of the only process.
    init(of analysis: Analysis) {
        host = analysis.trace.host
        pid = analysis.trace.processes.first?.pid ?? 0
        queueOffset = 0
        timeOffset = .zero
        findingIDs = [:]
    }

    private init(_ fleet: FleetAnalysis, _ process: Int, queueOffset: Int, findingIDs: [String: String]) {
        host = fleet.descriptions[process].host
        pid = fleet.descriptions[process].pid
        self.queueOffset = queueOffset
        timeOffset = Nanoseconds(fleet.processes[process].trace.beginUnixNanoseconds - fleet.beginUnixNanoseconds)
        self.findingIDs = findingIDs
    }

    /// One per process; findings are numbered by cost over all of them.
    static func all(of fleet: FleetAnalysis) -> [RowPlacement] {
        var findings: [(process: Int, finding: Finding)] = []
        for (process, analysis) in fleet.processes.enumerated() {
            findings += analysis.findings.map { (process, $0) }
        }
        findings.sort { left, right in
            if left.finding.cost != right.finding.cost { return left.finding.cost > right.finding.cost }
            if left.finding.severity != right.finding.severity { return left.finding.severity > right.finding.severity }
            return left.process < right.process
        }
        var ids: [[String: String]] = Array(repeating: [:], count: fleet.processes.count)
        for (position, entry) in findings.enumerated() { ids[entry.process][entry.finding.id] = "F\(position + 1)" }
        var queues = 0
        return fleet.processes.indices.map { process in
            defer { queues += fleet.processes[process].model.queues.count }
            return RowPlacement(fleet, process, queueOffset: queues, findingIDs: ids[process])
        }
    }

    func place(_ queue: QueueDocument) -> QueueDocument {
        var queue = queue
        queue.id += queueOffset
        queue.root += queueOffset
        queue.target = queue.target.map { $0 + queueOffset }
        return queue
    }

    func place(_ loop: LoopDocument) -> LoopDocument {
        var loop = loop
        loop.id += queueOffset
        return loop
    }

    func place(_ finding: FindingDocument) -> FindingDocument {
        var finding = finding
        finding.id = findingIDs[finding.id] ?? finding.id
        finding.queueIDs = finding.queueIDs.map { $0 + queueOffset }
        finding.begin += timeOffset
        finding.end += timeOffset
        for index in finding.evidence.indices { finding.evidence[index].time += timeOffset }
        return finding
    }

    func place(_ blame: BlameDocument) -> BlameDocument {
        var blame = blame
        blame.queue = blame.queue.map { $0 + queueOffset }
        return blame
    }

    func place(_ path: CriticalPathDocument) -> CriticalPathDocument {
        var path = path
        path.begin += timeOffset
        path.end += timeOffset
        for index in path.segments.indices {
            path.segments[index].begin += timeOffset
            path.segments[index].queue = path.segments[index].queue.map { $0 + queueOffset }
        }
        for index in path.totals.indices {
            path.totals[index].queue = path.totals[index].queue.map { $0 + queueOffset }
        }
        return path
    }

    func place(_ message: MessageDocument) -> MessageDocument {
        var message = message
        message.time += timeOffset
        return message
    }

    func place(_ actor: ActorDocument) -> ActorDocument {
        var actor = actor
        actor.id += queueOffset
        return actor
    }

    func place(_ task: TaskDocument) -> TaskDocument {
        var task = task
        task.created += timeOffset
        task.ended += timeOffset
        return task
    }

    func place(_ wait: OpenWaitDocument) -> OpenWaitDocument {
        var wait = wait
        wait.begin += timeOffset
        return wait
    }
}

/// The process that a row belongs to.
struct PlacedRow<Row: Encodable>: Encodable {
    let row: Row
    /// The machine; empty when unknown.
    let host: String
    /// The process's id; 0 when unknown.
    let process: Int

    private enum CodingKeys: String, CodingKey { case host, process }

    init(_ row: Row, _ placement: RowPlacement) {
        self.row = row
        host = placement.host
        process = placement.pid
    }

    func encode(to encoder: any Encoder) throws {
        try row.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(host, forKey: .host)
        try container.encode(process, forKey: .process)
    }
}

extension FindingDocument {
    /// The number in `F12`.
    var number: Int { Int(id.dropFirst()) ?? 0 }
}
