import DispatchAnalysis
import DispatchModel

/// A request over all its processes. Times count from the first event of the process that it began in.
struct RequestDocument: Encodable {
    let name: String
    /// Of W3C Trace Context; absent for a signpost interval that is no span.
    let traceID: String?
    let spanID: String?
    let begin: Timestamp
    let end: Timestamp
    let isFinished: Bool
    /// Intervals beyond the limit of 10,000 of a process.
    let omittedSpans: Int
    /// Steps beyond the limit of 10,000 of a task.
    let omittedSteps: Int
    /// What the time went by with; sums to the request's time.
    let totals: [Total]
    /// Each is followed by those below it.
    let spans: [RequestSpanDocument]
    /// In order of time, without a gap.
    let steps: [RequestStepDocument]

    enum CodingKeys: String, CodingKey {
        case name, totals, spans, steps
        case traceID = "trace_id"
        case spanID = "span_id"
        case begin = "begin_ns"
        case end = "end_ns"
        case isFinished = "finished"
        case omittedSpans = "omitted_spans"
        case omittedSteps = "omitted_steps"
    }

    struct Total: Encodable {
        let kind: RequestKind
        let time: Nanoseconds

        enum CodingKeys: String, CodingKey {
            case kind
            case time = "time_ns"
        }
    }

    init(_ request: RequestStory, symbols: [SymbolTable]) {
        let root = request.request
        let origin = request.processes[root.process].origin
        name = root.name
        traceID = request.traceID
        spanID = root.context?.spanID
        begin = Timestamp(nanoseconds: root.begin - origin)
        end = Timestamp(nanoseconds: root.end - origin)
        isFinished = root.signpost.isFinished
        (omittedSpans, omittedSteps) = (request.omittedSpans, request.omittedSteps)
        totals = request.totals.map { Total(kind: $0.kind, time: $0.time) }
        spans = request.spans.map { span in
            RequestSpanDocument(span, in: request.processes[span.process].analysis, since: origin)
        }
        steps = request.steps.map { step in
            RequestStepDocument(
                step, in: request.processes[step.process].analysis.model, symbols: symbols[step.process], since: origin)
        }
    }
}

/// One span of a request.
struct RequestSpanDocument: Encodable {
    let name: String
    /// Absent for a signpost interval that is no span.
    let id: String?
    /// Of a span that may not be part of the trace.
    let parentID: String?
    /// The position in spans of the one around it.
    let parent: Int?
    let pid: Int
    /// The task that it began on.
    let task: UInt64?
    /// Negative where the clocks of two machines differ.
    let begin: Int64
    let end: Int64
    /// The request's time in it and in no span below it. These sum to the request's time.
    let own: Nanoseconds
    let isFinished: Bool
    /// As name=value.
    let attributes: [String]

    enum CodingKeys: String, CodingKey {
        case name, id, parent, pid, task, attributes
        case parentID = "parent_id"
        case begin = "begin_ns"
        case end = "end_ns"
        case own = "own_ns"
        case isFinished = "finished"
    }

    init(_ span: RequestSpan, in analysis: Analysis, since origin: Int64) {
        name = span.name
        id = span.context?.spanID
        parentID = span.context?.parentID
        parent = span.parent
        pid = analysis.trace.processes.first?.pid ?? 0
        task = span.signpost.task
        (begin, end) = (span.begin - origin, span.end - origin)
        own = span.share
        isFinished = span.signpost.isFinished
        attributes = span.context?.attributes ?? []
    }
}

/// A stretch of a request's time.
struct RequestStepDocument: Encodable {
    let kind: RequestKind
    /// The position in spans of the innermost one.
    let span: Int
    let begin: Int64
    let end: Int64
    let task: UInt64?
    /// The actor, the queue or the event loop.
    var queue: String?
    var code: CodeDocument?
    /// The task that held the actor.
    var holder: UInt64?
    /// The task that resumed this one.
    var resumedBy: UInt64?

    enum CodingKeys: String, CodingKey {
        case kind, span, task, queue, code, holder
        case begin = "begin_ns"
        case end = "end_ns"
        case resumedBy = "resumed_by"
    }

    init(_ step: RequestStep, in model: DispatchModel, symbols: SymbolTable, since origin: Int64) {
        func document(_ code: CodeIndex) -> CodeDocument? {
            CodeDocument(known: code, in: model, symbols: symbols)
        }
        kind = step.what.kind
        span = step.span
        (begin, end) = (step.begin - origin, step.end - origin)
        switch step.what {
        case .run(let run):
            task = run.task
            queue = run.actor.map { model[$0].name }
            code = document(run.code)
        case .executor(let wait):
            task = wait.task
            queue = wait.actor.map { model[$0].name }
            holder = wait.holder
        case .starting(let new):
            task = new.number
            code = document(new.code)
        case .awaiting(let wait):
            task = wait.task
            code = document(wait.code)
            resumedBy = wait.resumedBy
        case .queued(let item), .item(let item):
            task = nil
            queue = model[item.queue].name
            code = document(item.code)
        case .offTask(let signpost): task = signpost.task
        case .unknown: task = nil
        }
    }
}
