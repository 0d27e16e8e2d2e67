import DispatchAnalysis
import DispatchModel

/// The report's `fleet` member: what sets processes apart.
struct FleetDocument: Encodable {
    struct ProcessEntry: Encodable {
        let host: String
        let process: Int
        let name: String
        let backend: String
        let schema: String
        let processors: Int
        let processorQuota: Double?
        let begin: Int64
        let duration: Int64
        let events: Int
        let discarded: Int
        let score: Double
        let findings: [String]
        let processorTrack: ProcessorTrackDocument?

        enum CodingKeys: String, CodingKey {
            case host, process, name, backend, schema, processors, events, discarded, findings
            case begin = "begin_ns"
            case duration = "duration_ns"
            case score = "quality_score"
            case processorQuota = "processor_quota"
            case processorTrack = "processor_track"
        }
    }

    struct QueueEntry: Encodable {
        let label: String
        let processes: [PlacedRow<FiguresEntry>]
        let outliers: [PlacedRow<OutlierEntry>]
    }

    struct FiguresEntry: Encodable {
        let queues: Int
        let items: Int
        let rate: Double
        let utilisation: Double
        let lost: Int64
        let waitP50: Int64
        let waitP99: Int64
        let serviceP50: Int64
        let serviceP99: Int64
        let handoffs: Int
        let findings: Int

        enum CodingKeys: String, CodingKey {
            case queues, items, utilisation, handoffs, findings
            case rate = "items_per_second"
            case lost = "wait_total_ns"
            case waitP50 = "wait_p50_ns"
            case waitP99 = "wait_p99_ns"
            case serviceP50 = "service_p50_ns"
            case serviceP99 = "service_p99_ns"
        }
    }

    struct OutlierEntry: Encodable {
        let figure: String
        let value: Double
        let typical: Double
    }

    struct FindingEntry: Encodable {
        let detector: String
        let queue: String
        let severity: String
        let cost: Int64
        let processes: Int
        let findings: [String]

        enum CodingKeys: String, CodingKey {
            case detector, queue, severity, processes, findings
            case cost = "cost_ns"
        }
    }

    let hosts: [String]
    let processes: [ProcessEntry]
    let queues: [QueueEntry]
    let findings: [FindingEntry]

    init(_ fleet: FleetAnalysis, _ placements: [RowPlacement]) {
        hosts = fleet.hosts
        processes = fleet.processes.indices.map { index in
            let (analysis, description) = (fleet.processes[index], fleet.descriptions[index])
            return ProcessEntry(
                host: description.host, process: description.pid, name: description.name,
                backend: description.backend, schema: description.schema.description,
                processors: description.processors.count, processorQuota: description.processors.quota,
                begin: placements[index].timeOffset,
                duration: analysis.trace.duration.count, events: analysis.trace.events,
                discarded: analysis.trace.discarded,
                score: analysis.quality.score.isFinite ? analysis.quality.score : 0,
                findings: analysis.findings.map { placements[index].findingIDs[$0.id] ?? $0.id },
                processorTrack: analysis.model.processorTrack.map {
                    ProcessorTrackDocument($0, lost: analysis.model.lostSwitches)
                })
        }
        queues = fleet.comparisons.map { comparison in
            QueueEntry(
                label: comparison.label,
                processes: comparison.members.map {
                    PlacedRow(row: FiguresEntry($0), placement: placements[$0.process])
                },
                outliers: comparison.outliers.map {
                    PlacedRow(
                        row: OutlierEntry(figure: $0.figure.rawValue, value: $0.value, typical: $0.typical),
                        placement: placements[$0.process])
                })
        }
        findings = fleet.findings.map { finding in
            FindingEntry(
                detector: finding.detector, queue: finding.queue, severity: finding.severity.rawValue,
                cost: finding.cost.count, processes: finding.processCount,
                findings: finding.members.map { placements[$0.process].findingIDs[$0.finding.id] ?? $0.finding.id })
        }
    }
}

extension FleetDocument.FiguresEntry {
    init(_ figures: QueueFigures) {
        queues = figures.queues
        items = figures.items
        rate = figures.rate
        utilisation = figures.utilisation.isFinite ? figures.utilisation : 0
        lost = figures.lost.count
        waitP50 = figures.waitP50.count
        waitP99 = figures.waitP99.count
        serviceP50 = figures.serviceP50.count
        serviceP99 = figures.serviceP99.count
        handoffs = figures.handoffs
        findings = figures.findings
    }
}
