import DispatchAnalysis
import DispatchModel

/// The processes of a trace with several processes, and how they differ. Absent for a trace of one process. With
/// several processes, ids of queues and findings are unique in the document, and times count from the first event
/// record of any process.
struct FleetDocument: Encodable {
    struct ProcessEntry: Encodable {
        /// The machine. Empty when unknown.
        let host: String
        /// The process id. 0 when unknown.
        let process: Int
        let name: String
        let backend: Backend
        let schema: EventSchemaVersion
        /// Number of processors that the process may use, as in trace.
        let processors: Int
        /// CFS quota in processors, as in trace. Absent without a quota.
        let processorQuota: Double?
        let begin: Nanoseconds
        let duration: Nanoseconds
        let events: Int
        let discarded: Int
        let score: Fraction
        /// Ids of the findings of the process.
        let findings: [FindingID]
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
        let label: NonEmptyText
        /// The values per process. Several queues with one label in a process have one entry: their mean utilisation,
        /// the p50 of the median queue and the p99 of the worst queue.
        let processes: [PlacedRow<FiguresEntry>]
        /// Values far above the values of the other processes: at least twice their median (four times with fewer than
        /// three others), and above it by more than 3.5 deviations (with three others or more) and by at least 50 µs,
        /// 0.1 of utilisation or 0.05 hand-offs per item. Both sides ran 50 items or more.
        let outliers: [PlacedRow<OutlierEntry>]
    }

    struct FiguresEntry: Encodable {
        let queues: Int
        let items: Int
        let rate: Double
        let utilisation: Double
        let lost: Nanoseconds
        let waitP50: Nanoseconds
        let waitP99: Nanoseconds
        let serviceP50: Nanoseconds
        let serviceP99: Nanoseconds
        let handoffs: Int
        /// Number of findings about the queues.
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
        let figure: FleetOutlier.Figure
        /// Nanoseconds for times, a share of 1 for utilisation, or hand-offs per item.
        let value: Double
        /// The median of the values of the other processes, in the same unit.
        let typical: Double
    }

    struct FindingEntry: Encodable {
        let detector: StableID
        /// The label of the first queue, with numbers replaced by *. Empty when the finding has no queue.
        let queue: String
        let severity: Finding.Severity
        let cost: Nanoseconds
        /// Number of processes that have the finding.
        let processes: Int
        /// Ids of the findings, the costliest first.
        let findings: [FindingID]

        enum CodingKeys: String, CodingKey {
            case detector, queue, severity, processes, findings
            case cost = "cost_ns"
        }
    }

    let hosts: [String]
    /// The processes, in the order of their first events.
    let processes: [ProcessEntry]
    /// Queues that two or more processes have with the same label (numbers replaced by *). Queues with outliers are
    /// first.
    let queues: [QueueEntry]
    /// Findings of one detector on queues with the same label are one entry. The costliest is first.
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
                duration: analysis.trace.duration, events: analysis.trace.events,
                discarded: analysis.trace.discarded,
                score: analysis.quality.score.finite,
                findings: analysis.findings.map { placements[index].findingIDs[$0.id] ?? $0.id },
                processorTrack: analysis.model.processorTrack.map {
                    ProcessorTrackDocument($0, lost: analysis.model.lostSwitches)
                })
        }
        queues = fleet.comparisons.map { comparison in
            QueueEntry(
                label: comparison.label,
                processes: comparison.members.map {
                    PlacedRow(FiguresEntry($0), placements[$0.process])
                },
                outliers: comparison.outliers.map {
                    PlacedRow(
                        OutlierEntry(figure: $0.figure, value: $0.value, typical: $0.typical), placements[$0.process])
                })
        }
        findings = fleet.findings.map { finding in
            FindingEntry(
                detector: finding.detector, queue: finding.queue, severity: finding.severity,
                cost: finding.cost, processes: finding.processCount,
                findings: finding.members.map { placements[$0.process].findingIDs[$0.finding.id] ?? $0.finding.id })
        }
    }
}

extension FleetDocument.FiguresEntry {
    init(_ figures: QueueFigures) {
        queues = figures.queues
        items = figures.items
        rate = figures.rate
        utilisation = figures.utilisation.finite
        lost = figures.lost
        waitP50 = figures.waitP50
        waitP99 = figures.waitP99
        serviceP50 = figures.serviceP50
        serviceP99 = figures.serviceP99
        handoffs = figures.handoffs
        findings = figures.findings
    }
}
