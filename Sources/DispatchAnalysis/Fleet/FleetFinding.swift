import DispatchModel

/// The findings of one detector in several processes on queues of one name.
public struct FleetFinding: Sendable {
    /// The detector's id.
    public let detector: String
    /// The name of the first queue of the findings, without its numbers; empty if there is none.
    public let queue: String
    /// The highest severity of the findings.
    public let severity: Finding.Severity
    /// Time lost in all processes.
    public let cost: Nanoseconds
    /// The findings in descending order of cost: the position of the process in ``FleetAnalysis/processes``, and the
    /// finding.
    public let members: [(process: Int, finding: Finding)]

    /// The number of processes with a finding.
    public var processCount: Int { Set(members.map(\.process)).count }

    /// Groups the findings of all processes, in descending order of cost.
    static func all(of processes: [Analysis]) -> [FleetFinding] {
        var groups: [[String]: [(process: Int, finding: Finding)]] = [:]
        for (process, analysis) in processes.enumerated() {
            for finding in analysis.findings {
                let queue = finding.queues.first.map { LabelPattern.of(analysis.model[$0].name) } ?? ""
                groups[[finding.detector, queue], default: []].append((process, finding))
            }
        }
        return groups.map { key, members in
            FleetFinding(
                detector: key[0], queue: key[1], severity: members.map(\.finding.severity).max() ?? .info,
                cost: members.reduce(.zero) { $0 + $1.finding.cost },
                members: members.sorted {
                    $0.finding.cost != $1.finding.cost
                        ? $0.finding.cost > $1.finding.cost : $0.process < $1.process
                })
        }.sorted { left, right in
            if left.cost != right.cost { return left.cost > right.cost }
            if left.severity != right.severity { return left.severity > right.severity }
            return (left.detector, left.queue) < (right.detector, right.queue)
        }
    }
}
