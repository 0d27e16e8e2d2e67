import DispatchAnalysis
import DispatchModel

/// The process of a row in a report that can have several processes, with the offsets that turn its queue ids and times
/// into ids and times of the document.
struct RowPlacement {
    let host: String
    let pid: Int
    /// Added to queue ids.
    let queueOffset: Int
    /// Added to times.
    let timeOffset: Nanoseconds
    /// Maps finding ids of the process to finding ids of the document. An id without an entry stays the same.
    let findingIDs: [String: String]

    /// Creates the placement of the only process.
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

    /// Creates one placement per process. Findings are numbered by cost over all processes.
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
        changed(queue) {
            $0.id += queueOffset
            $0.root += queueOffset
            $0.target = $0.target.map { $0 + queueOffset }
        }
    }

    func place(_ loop: LoopDocument) -> LoopDocument { changed(loop) { $0.id += queueOffset } }

    func place(_ finding: FindingDocument) -> FindingDocument {
        changed(finding) {
            $0.id = findingIDs[$0.id] ?? $0.id
            $0.queueIDs = $0.queueIDs.map { $0 + queueOffset }
            $0.begin += timeOffset
            $0.end += timeOffset
            for index in $0.evidence.indices { $0.evidence[index].time += timeOffset }
            for index in $0.measures.indices { $0.measures[index].move(by: timeOffset) }
        }
    }

    func place(_ blame: BlameDocument) -> BlameDocument {
        changed(blame) { $0.queue = $0.queue.map { $0 + queueOffset } }
    }

    func place(_ path: CriticalPathDocument) -> CriticalPathDocument {
        changed(path) {
            $0.begin += timeOffset
            $0.end += timeOffset
            for index in $0.segments.indices {
                $0.segments[index].begin += timeOffset
                $0.segments[index].queue = $0.segments[index].queue.map { $0 + queueOffset }
            }
            for index in $0.totals.indices {
                $0.totals[index].queue = $0.totals[index].queue.map { $0 + queueOffset }
            }
        }
    }

    func place(_ message: MessageDocument) -> MessageDocument { changed(message) { $0.time += timeOffset } }

    func place(_ actor: ActorDocument) -> ActorDocument { changed(actor) { $0.id += queueOffset } }

    func place(_ task: TaskDocument) -> TaskDocument {
        changed(task) {
            $0.created += timeOffset
            $0.ended += timeOffset
        }
    }

    func place(_ wait: OpenWaitDocument) -> OpenWaitDocument { changed(wait) { $0.begin += timeOffset } }

    private func changed<Row>(_ row: Row, _ change: (inout Row) -> Void) -> Row {
        var row = row
        change(&row)
        return row
    }
}

/// The process that the row belongs to.
struct PlacedRow<Row: Encodable>: Encodable {
    let row: Row
    /// The machine. Empty when unknown.
    let host: String
    /// The process id. 0 when unknown.
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
    /// The number in the id, 12 for `F12`.
    var number: Int { Int(id.dropFirst()) ?? 0 }
}
