import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// A problem, with its evidence, cost and advice.
struct FindingDocument: Encodable {
    struct Proof: Encodable {
        var time: Timestamp
        let tid: UInt32
        let event: NonEmptyText
        let detail: String

        enum CodingKeys: String, CodingKey {
            case tid, event, detail
            case time = "time_ns"
        }
    }

    struct Symptom: Encodable {
        let detector: StableID
        let summary: NonEmptyText
        let cost: Nanoseconds

        enum CodingKeys: String, CodingKey {
            case detector, summary
            case cost = "cost_ns"
        }
    }

    struct Stack: Encodable {
        let title: NonEmptyText
        /// The frames of the stack, the innermost first.
        let frames: [Frame]
    }

    struct Frame: Encodable {
        let address: Address
        let image: String
        let offset: UInt64
        let symbol: String
        let file: String
        let line: Int
    }

    var id: FindingID
    let detector: StableID
    let severity: Finding.Severity
    let summary: NonEmptyText
    /// Labels of the queues, the most important first.
    let queues: [String]
    var queueIDs: [Int]
    /// Number of queues that are omitted from queues and queue_ids. Absent when no queue is omitted.
    let queuesLeftOut: Int?
    let locks: [String]
    var begin: Timestamp
    var end: Timestamp
    /// Time lost to the problem.
    let cost: Nanoseconds
    let occurrences: Int
    var measures: [MeasureDocument]
    /// The events that prove the finding, in order of time.
    var evidence: [Proof]
    let code: [CodeDocument]
    let stacks: [Stack]
    let advice: NonEmptyText
    let remedy: RemedyDocument
    /// Findings of other detectors with the same cause. They are not listed as findings of their own.
    let symptoms: [Symptom]
    let caveat: String?
    /// The system library that contains all code of the finding. Absent when code of the program takes part.
    let library: String?
    let fingerprint: Fingerprint

    enum CodingKeys: String, CodingKey {
        case id, detector, severity, summary, queues, locks, occurrences, measures, evidence, code, stacks, advice,
            remedy, caveat, library, fingerprint
        case symptoms = "also_seen_as"
        case queueIDs = "queue_ids"
        case queuesLeftOut = "queues_left_out"
        case begin = "begin_ns"
        case end = "end_ns"
        case cost = "cost_ns"
    }

    init(_ finding: Finding, in model: DispatchModel, symbols: SymbolTable, all: Bool = false) {
        id = finding.id
        detector = finding.detector
        severity = finding.severity
        summary = finding.summary
        let shown = finding.queues.prefix(all ? .max : QueueRows.patternLimit)
        queues = shown.map { model[$0].label }
        queueIDs = shown.map(\.position)
        queuesLeftOut = shown.count < finding.queues.count ? finding.queues.count - shown.count : nil
        locks = finding.locks.map { model[$0].name }
        begin = finding.begin
        end = finding.end
        cost = finding.cost
        occurrences = finding.occurrences
        measures = finding.measures.map { MeasureDocument($0) }
        evidence = finding.evidence.map {
            Proof(time: $0.time, tid: model[$0.thread].tid, event: $0.event, detail: $0.detail)
        }
        code = finding.code.map { CodeDocument($0, in: model, symbols: symbols) }
        stacks = finding.stacks.map { title, stack in
            Stack(title: title, frames: symbols.frames(of: model[stack]).map(Frame.init))
        }
        advice = finding.advice.text
        remedy = RemedyDocument(finding.advice)
        symptoms = finding.symptoms.map { Symptom(detector: $0.detector, summary: $0.summary, cost: $0.cost) }
        caveat = finding.caveat
        library = finding.library
        fingerprint = FindingIdentity(finding, in: model).fingerprint
    }
}

extension FindingDocument.Frame {
    init(_ frame: StackFrame) {
        address = "0x" + String(frame.address, radix: 16)
        image = frame.image
        offset = frame.offset
        symbol = frame.symbol ?? ""
        file = frame.file ?? ""
        line = frame.line ?? 0
    }
}
