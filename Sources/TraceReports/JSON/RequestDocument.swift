import DispatchAnalysis
import DispatchModel
import Symbolication

/// A request over all its processes. Times count from the first event of the process in which the request began.
struct RequestDocument: Encodable {
    let name: String
    /// The trace id of W3C Trace Context. Absent for a signpost interval that is not a span.
    let traceID: String?
    let spanID: String?
    let begin: Timestamp
    let end: Timestamp
    let isFinished: Bool
    /// Number of intervals above the limit of 10,000 per process.
    let omittedSpans: Int
    /// Number of steps above the limit of 10,000 per task.
    let omittedSteps: Int
    /// Time by kind of step. The times sum to the duration of the request.
    let totals: [Total]
    /// The spans of the request. Each span is followed by its child spans.
    let spans: [RequestSpanDocument]
    /// The steps of the request in order of time, without a gap.
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
    /// The span id. Absent for a signpost interval that is not a span.
    let id: String?
    /// The id of the parent span, which may be missing from the trace. Absent without a parent.
    let parentID: String?
    /// The index in spans of the enclosing span. Absent for the root, and when the parent is not in the trace.
    let parent: Int?
    let pid: Int
    /// The task on which the span began. Absent when it began outside of a task.
    let task: UInt64?
    /// Can be negative when the clocks of two machines differ.
    let begin: Int64
    let end: Int64
    /// Part of the request's time in this span and in none of its child spans. These times sum to the duration of the
    /// request.
    let own: Nanoseconds
    let isFinished: Bool
    /// Attributes of the span in the form name=value.
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

/// An interval of a request with one cause.
struct RequestStepDocument: Encodable {
    let kind: RequestKind
    /// The index in spans of the innermost span.
    let span: Int
    let begin: Int64
    let end: Int64
    let task: UInt64?
    /// The name of the actor, queue or event loop. Absent when there is none.
    var queue: String?
    var code: CodeDocument?
    /// The task that held the actor. Absent when unknown.
    var holder: UInt64?
    /// The task that resumed this one. Absent when unknown.
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
