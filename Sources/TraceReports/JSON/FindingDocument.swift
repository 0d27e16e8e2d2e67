import DispatchAnalysis
import DispatchModel

/// One element of the report's `findings`.
struct FindingDocument: Encodable {
    struct Proof: Encodable {
        var time: Int64
        let tid: UInt32
        let event: String
        let detail: String

        enum CodingKeys: String, CodingKey {
            case tid, event, detail
            case time = "time_ns"
        }
    }

    struct Measure: Encodable {
        let name: String
        let value: String
    }

    /// A finding of another detector with the same cause.
    struct Symptom: Encodable {
        let detector: String
        let summary: String
        let cost: Int64

        enum CodingKeys: String, CodingKey {
            case detector, summary
            case cost = "cost_ns"
        }
    }

    struct Stack: Encodable {
        let title: String
        let frames: [Frame]
    }

    struct Frame: Encodable {
        /// Hexadecimal: a JSON number holds 53 bits only.
        let address: String
        let image: String
        let offset: UInt64
        let symbol: String
        let file: String
        let line: Int
    }

    var id: String
    let detector: String
    let severity: String
    let summary: String
    let queues: [String]
    var queueIDs: [Int]
    /// Queues that are in neither list; left out when there are none.
    let queuesLeftOut: Int?
    let locks: [String]
    var begin: Int64
    var end: Int64
    let cost: Int64
    let occurrences: Int
    let measures: [Measure]
    var evidence: [Proof]
    let code: [CodeDocument]
    let stacks: [Stack]
    let advice: String
    let symptoms: [Symptom]
    let caveat: String?
    let library: String?
    /// Stays the same from run to run.
    let fingerprint: String

    enum CodingKeys: String, CodingKey {
        case id, detector, severity, summary, queues, locks, occurrences, measures, evidence, code, stacks, advice,
            caveat, library, fingerprint
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
        severity = finding.severity.rawValue
        summary = finding.summary
        let shown = finding.queues.prefix(all ? .max : QueueRows.patternLimit)
        queues = shown.map { model[$0].label }
        queueIDs = shown.map(\.position)
        queuesLeftOut = shown.count < finding.queues.count ? finding.queues.count - shown.count : nil
        locks = finding.locks.map { model[$0].name }
        begin = finding.begin.nanoseconds
        end = finding.end.nanoseconds
        cost = finding.cost.count
        occurrences = finding.occurrences
        measures = finding.measures.map { Measure(name: $0.name, value: $0.value) }
        evidence = finding.evidence.map {
            Proof(time: $0.time.nanoseconds, tid: model[$0.thread].tid, event: $0.event, detail: $0.detail)
        }
        code = finding.code.map { CodeDocument($0, in: model, symbols: symbols) }
        stacks = finding.stacks.map { title, stack in
            Stack(title: title, frames: symbols.frames(of: model[stack]).map(Frame.init))
        }
        advice = finding.advice
        symptoms = finding.symptoms.map { Symptom(detector: $0.detector, summary: $0.summary, cost: $0.cost.count) }
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
