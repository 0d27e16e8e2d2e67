import DispatchAnalysis
import DispatchModel

/// One element of the report's `requests`: the request whose story was asked for, over all its processes.
///
/// Times count from the first event of the process that it began in.
struct RequestDocument: Encodable {
    let name: String
    let traceID: String?
    let spanID: String?
    let begin: Int64
    let end: Int64
    let isFinished: Bool
    let omittedSpans: Int
    let omittedSteps: Int
    let totals: [Total]
    let spans: [SpanDocument]
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
        let kind: String
        let time: Int64

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
        (begin, end) = (root.begin - origin, root.end - origin)
        isFinished = root.signpost.isFinished
        (omittedSpans, omittedSteps) = (request.omittedSpans, request.omittedSteps)
        totals = request.totals.map { Total(kind: $0.kind, time: $0.time.count) }
        spans = request.spans.map { span in
            SpanDocument(span, in: request.processes[span.process].analysis, since: origin)
        }
        steps = request.steps.map { step in
            RequestStepDocument(
                step, in: request.processes[step.process].analysis.model, symbols: symbols[step.process], since: origin)
        }
    }
}

/// One span of a request.
struct SpanDocument: Encodable {
    let name: String
    /// Left out for a signpost that is no span.
    let id: String?
    let parentID: String?
    /// The position in the list of the span around it; left out for none.
    let parent: Int?
    let pid: Int
    let task: UInt64?
    let begin: Int64
    let end: Int64
    let own: Int64
    let isFinished: Bool
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
        own = span.share.count
        isFinished = span.signpost.isFinished
        attributes = span.context?.attributes ?? []
    }
}

/// A stretch of a request's time.
struct RequestStepDocument: Encodable {
    let kind: String
    /// The position of the innermost span.
    let span: Int
    let begin: Int64
    let end: Int64
    let task: UInt64?
    /// The actor, the queue or the event loop.
    var queue: String?
    var code: CodeDocument?
    /// The task that held the actor, or that resumed the request's own.
    var holder: UInt64?
    var resumedBy: UInt64?

    enum CodingKeys: String, CodingKey {
        case kind, span, task, queue, code, holder
        case begin = "begin_ns"
        case end = "end_ns"
        case resumedBy = "resumed_by"
    }

    init(_ step: RequestStep, in model: DispatchModel, symbols: SymbolTable, since origin: Int64) {
        func document(_ code: CodeIndex) -> CodeDocument? {
            code == .unknown ? nil : CodeDocument(code, in: model, symbols: symbols)
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
