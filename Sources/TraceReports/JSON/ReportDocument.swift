import DispatchAnalysis
import DispatchModel
import Symbolication

/// The output of `queuescope report --format json`. Member names are stable: members are added, never renamed. Times
/// are nanoseconds since the first event record of the trace.
struct ReportDocument: Encodable {
    let schema = "queuescope.report/1"
    let trace: TraceDocument
    let quality: QualityDocument
    /// The busy queues, which ran an item or had a waiting item at the end of the trace. Sorted by the wait of their
    /// items, the longest first. When more than 256 queues have labels that differ only in numbers, only the first ten
    /// of them are listed; queue_patterns has the sums, and its left_out is the number of omitted queues.
    let queues: [PlacedRow<QueueDocument>]
    /// The sums over queues whose labels differ only in numbers, one row for each pattern with more than 256 queues.
    /// Absent when every queue is a row of queues, for example with --all.
    let queuePatterns: [PlacedRow<QueuePatternDocument>]?
    let threads: [PlacedRow<ThreadDocument>]
    /// The findings, the most important first.
    let findings: [PlacedRow<FindingDocument>]
    /// The worker threads of each root queue.
    let workers: [PlacedRow<WorkersDocument>]
    /// Messages that libdispatch itself logged, each text once.
    let messages: [PlacedRow<MessageDocument>]
    /// Waits that threads, tasks and items had not finished when the trace ended: the cycles first, then the longest
    /// first.
    let openWaits: [PlacedRow<OpenWaitDocument>]
    /// The code that items ran, the most lost time first.
    let codes: [PlacedRow<CodeStatisticsDocument>]
    /// The 1,000 longest pairs of waiting code and code that it waited for.
    let blame: [PlacedRow<BlameDocument>]
    /// The locks that were taken, sorted by the time that threads waited for them, the longest first. The semaphores
    /// that are used as locks follow.
    let locks: [PlacedRow<LockDocument>]
    /// Threads that poll in a loop, for example event loops of SwiftNIO. The loop with the longest time without a poll
    /// is first. Findings refer to loops by the same ids as queues.
    let loops: [PlacedRow<LoopDocument>]
    /// The critical path to the end of the run, one per process. With --item or --signpost, the path to the end of the
    /// item or interval.
    let criticalPaths: [PlacedRow<CriticalPathDocument>]
    /// The item of --item. Empty without this option.
    let items: [ItemDocument]
    /// The intervals of --signpost. Empty without this option.
    let signposts: [SignpostDocument]
    /// The request of --request, over all processes. Empty without this option.
    let requests: [RequestDocument]
    /// The actors and other serial executors that ran tasks. The actor with the longest total wait of tasks is first.
    let actors: [PlacedRow<ActorDocument>]
    /// The 20 longest-lived tasks of Swift Concurrency at most. With --task, only that task.
    let tasks: [PlacedRow<TaskDocument>]
    /// The tasks grouped by the function that they were created to run, the longest-lived first.
    let taskFunctions: [PlacedRow<TaskFunctionDocument>]
    let processorTrack: ProcessorTrackDocument?
    /// How the recorder sampled items, per process. Absent when the traces have all items.
    let sampling: [PlacedRow<SamplingDocument>]?
    let fleet: FleetDocument?

    enum CodingKeys: String, CodingKey {
        case schema, trace, quality, queues, threads, findings, workers, messages, fleet, codes, blame, locks, loops,
            items, signposts, requests, actors, tasks, sampling
        case taskFunctions = "task_functions"
        case queuePatterns = "queue_patterns"
        case criticalPaths = "critical_paths"
        case openWaits = "open_waits"
        case processorTrack = "processor_track"
    }

    /// Creates the report of one process.
    init(_ analysis: Analysis, symbols: SymbolTable, subject: StoryReport.Subject?, all: Bool) {
        self.init(
            [analysis], [symbols], [RowPlacement(of: analysis)], trace: TraceDocument(analysis.trace),
            quality: QualityDocument(analysis.quality), fleet: nil, subject: subject,
            all: all)
    }

    /// Creates the report of several processes.
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
                make(analyses[index], symbols[index], placements[index]).map { PlacedRow($0, placements[index]) }
            }
        }
        let queueRows = analyses.map { QueueRows(of: $0, all: all) }
        var next = 0
        queues = rows { analysis, _, placement in
            defer { next += 1 }
            return queueRows[next].queues.map { placement.place(QueueDocument($0, in: analysis.model)) }
        }
        let patterns = zip(queueRows, placements).flatMap { rows, placement in
            rows.patterns.map { PlacedRow($0, placement) }
        }
        queuePatterns = patterns.isEmpty ? nil : patterns
        threads = rows { analysis, _, _ in analysis.threads.map { ThreadDocument($0, in: analysis.model) } }
        findings = rows { analysis, symbols, placement in
            analysis.findings.map {
                placement.place(FindingDocument($0, in: analysis.model, symbols: symbols, all: all))
            }
        }.sorted { $0.row.number < $1.row.number }
        workers = rows { analysis, _, _ in analysis.model.workers.map { WorkersDocument($0, in: analysis.model) } }
        messages = rows { analysis, _, placement in
            analysis.model.messages.map { placement.place(MessageDocument($0, in: analysis.model)) }
        }
        openWaits = rows { analysis, symbols, placement in
            let headline = analysis.stillWaiting.headline?.waiter
            return analysis.stillWaiting.waits.map { wait in
                placement.place(
                    OpenWaitDocument(
                        wait, isHeadline: wait.waiter == headline, in: analysis.model, symbols: symbols))
            }
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
        actors = rows { analysis, symbols, placement in
            ActorDocument.all(of: analysis, symbols: symbols).map { placement.place($0) }
        }
        var task: TaskStory?
        var (items, signposts, requests): ([ItemDocument], [SignpostDocument], [RequestDocument]) = ([], [], [])
        switch subject {
        case .item(let item): items = [ItemDocument(item, in: analyses[0].model, symbols: symbols[0])]
        case .signpost(let story): signposts = [SignpostDocument(story)]
        case .task(let story): task = story
        case .request(let request, let symbols):
            task = request.taskStory
            requests = [RequestDocument(request, symbols: symbols)]
        case nil: break
        }
        (self.items, self.signposts, self.requests) = (items, signposts, requests)
        tasks = rows { analysis, symbols, placement in
            let told = task.flatMap(\.task).map { [$0] } ?? analysis.tasks?.longest ?? []
            return told.map { placement.place(TaskDocument($0, story: task, in: analysis.model, symbols: symbols)) }
        }
        taskFunctions = rows { analysis, symbols, _ in
            (analysis.tasks?.functions ?? []).map { TaskFunctionDocument($0, in: analysis.model, symbols: symbols) }
        }
        let samples = rows { analysis, _, _ in
            analysis.sample.map { [SamplingDocument($0, analysis.model.sampling)] } ?? []
        }
        sampling = samples.isEmpty ? nil : samples
        processorTrack =
            fleet != nil
            ? nil
            : analyses[0].model.processorTrack.map {
                ProcessorTrackDocument($0, lost: analyses[0].model.lostSwitches)
            }
    }
}
