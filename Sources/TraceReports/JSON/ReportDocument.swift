import DispatchAnalysis
import DispatchModel

/// The whole JSON document.
struct ReportDocument: Encodable {
    let schema = JSONReport.schemaName
    let trace: TraceDocument
    let quality: QualityDocument
    let queues: [PlacedRow<QueueDocument>]
    /// Left out when every queue is a row.
    let queuePatterns: [PlacedRow<QueuePatternDocument>]?
    let threads: [PlacedRow<ThreadDocument>]
    let findings: [PlacedRow<FindingDocument>]
    let workers: [PlacedRow<WorkersDocument>]
    let messages: [PlacedRow<MessageDocument>]
    let openWaits: [PlacedRow<OpenWaitDocument>]
    let codes: [PlacedRow<CodeStatisticsDocument>]
    let blame: [PlacedRow<BlameDocument>]
    let locks: [PlacedRow<LockDocument>]
    let loops: [PlacedRow<LoopDocument>]
    let criticalPaths: [PlacedRow<CriticalPathDocument>]
    let actors: [PlacedRow<ActorDocument>]
    /// Those that lived longest; the one whose story was asked for.
    let tasks: [PlacedRow<TaskDocument>]
    let taskFunctions: [PlacedRow<TaskFunctionDocument>]
    /// Whose story was asked for.
    let items: [ItemDocument]
    let signposts: [SignpostDocument]
    let requests: [RequestDocument]
    /// Left out for one process.
    let fleet: FleetDocument?
    /// Left out when the trace does not say.
    let processorTrack: ProcessorTrackDocument?

    enum CodingKeys: String, CodingKey {
        case schema, trace, quality, queues, threads, findings, workers, messages, fleet, codes, blame, locks, loops,
            items, signposts, requests, actors, tasks
        case taskFunctions = "task_functions"
        case queuePatterns = "queue_patterns"
        case criticalPaths = "critical_paths"
        case openWaits = "open_waits"
        case processorTrack = "processor_track"
    }

    /// Of one process.
    init(_ analysis: Analysis, symbols: SymbolTable, subject: StoryReport.Subject?, all: Bool) {
        self.init(
            [analysis], [symbols], [RowPlacement(of: analysis)], trace: TraceDocument(analysis.trace),
            quality: QualityDocument(analysis.quality), fleet: nil, subject: subject,
            all: all)
    }

    /// Of several processes.
    init(_ fleet: FleetAnalysis, symbols: [SymbolTable], all: Bool) {
        let placements = RowPlacement.all(of: fleet)
        self.init(
            fleet.processes, symbols, placements, trace: TraceDocument(fleet.summary),
            quality: QualityDocument(fleet.quality), fleet: FleetDocument(fleet, placements), subject: nil,
            all: all)
    }

    private init(
        _ analyses: [Analysis], _ symbols: [SymbolTable], _ placements: [RowPlacement], trace: TraceDocument,
        quality: QualityDocument, fleet: FleetDocument?, subject: StoryReport.Subject?, all: Bool
    ) {
        self.trace = trace
        self.quality = quality
        self.fleet = fleet
        func rows<Row>(_ make: (Analysis, SymbolTable, RowPlacement) -> [Row]) -> [PlacedRow<Row>] {
            analyses.indices.flatMap { index in
                make(analyses[index], symbols[index], placements[index]).map {
                    PlacedRow(row: $0, placement: placements[index])
                }
            }
        }
        let queueRows = analyses.map { QueueRows(of: $0, all: all) }
        var next = 0
        queues = rows { analysis, _, placement in
            defer { next += 1 }
            return queueRows[next].queues.map { placement.place(QueueDocument($0, in: analysis.model)) }
        }
        let patterns = zip(queueRows, placements).flatMap { rows, placement in
            rows.patterns.map { PlacedRow(row: $0, placement: placement) }
        }
        queuePatterns = patterns.isEmpty ? nil : patterns
        threads = rows { analysis, _, _ in analysis.threads.map { ThreadDocument($0, in: analysis.model) } }
        findings = rows { analysis, symbols, placement in
            analysis.findings.map { placement.place(FindingDocument($0, in: analysis.model, symbols: symbols, all: all)) }
        }.sorted { $0.row.number < $1.row.number }
        workers = rows { analysis, _, _ in analysis.model.workers.map { WorkersDocument($0, in: analysis.model) } }
        messages = rows { analysis, _, placement in
            analysis.model.messages.map { placement.place(MessageDocument($0, in: analysis.model)) }
        }
        openWaits = rows { analysis, symbols, placement in
            analysis.openWaits.map { placement.place(OpenWaitDocument($0, in: analysis.model, symbols: symbols)) }
        }
        codes = rows { analysis, symbols, _ in
            analysis.codes.map { CodeStatisticsDocument($0, in: analysis.model, symbols: symbols) }
        }
        blame = rows { analysis, symbols, placement in
            analysis.blame.cells.prefix(BlameDocument.limit).map {
                placement.place(BlameDocument($0, in: analysis.model, symbols: symbols))
            }
        }
        locks = rows { analysis, symbols, _ in LockDocument.all(of: analysis, symbols: symbols) }
        loops = rows { analysis, _, placement in
            analysis.loops.map { placement.place(LoopDocument($0, in: analysis.model)) }
        }
        criticalPaths = rows { analysis, symbols, placement in
            analysis.criticalPath.map {
                [placement.place(CriticalPathDocument($0, in: analysis.model, symbols: symbols))]
            } ?? []
        }
        actors = rows { analysis, _, placement in
            ActorDocument.all(of: analysis).map { placement.place($0) }
        }
        var story: TaskStory?
        switch subject {
        case .task(let wanted): story = wanted
        case .request(let request, _): story = request.taskStory
        default: break
        }
        tasks = rows { analysis, symbols, placement in
            let told = story.flatMap(\.task).map { [$0] } ?? analysis.tasks?.longest ?? []
            return told.map { placement.place(TaskDocument($0, story: story, in: analysis.model, symbols: symbols)) }
        }
        taskFunctions = rows { analysis, symbols, _ in
            (analysis.tasks?.functions ?? []).map { TaskFunctionDocument($0, in: analysis.model, symbols: symbols) }
        }
        if case .request(let request, let symbols) = subject {
            requests = [RequestDocument(request, symbols: symbols)]
        } else {
            requests = []
        }
        switch subject {
        case .item(let item):
            items = [ItemDocument(item, in: analyses[0].model, symbols: symbols[0])]
            signposts = []
        case .signpost(let story): (items, signposts) = ([], [SignpostDocument(story)])
        case .task, .request, nil: (items, signposts) = ([], [])
        }
        processorTrack =
            fleet != nil
            ? nil
            : analyses[0].model.processorTrack.map {
                ProcessorTrackDocument($0, lost: analyses[0].model.lostSwitches)
            }
    }
}
