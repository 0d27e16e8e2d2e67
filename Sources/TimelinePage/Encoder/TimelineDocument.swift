import DispatchAnalysis
import DispatchModel
import ReportText

import class FoundationEssentials.JSONEncoder

/// The tables and texts of the timeline, which the page reads as JSON. Array positions are the indices of the model.
///
/// The tables of the model are encoded once. The counts of omitted details and the texts of signposts and tasks change
/// each time that details are removed from the collector.
struct TimelineDocument {
    struct Trace: Encodable {
        let program: String
        let pid: Int
        let host: String
        let processors: Int
        /// The number of processors in words, with its limits.
        let processorText: String
        let events: Int
        let discarded: Int
        /// The begin of the part that the page shows; 0 for a whole trace. Times count from the begin of the whole
        /// trace.
        let begin: Int64
        /// The end of the part.
        let end: Int64
        let unixNanoseconds: String
        let quality: Double
        let failedChecks: [String]
        /// Checks that pass, although the recorder left out a part to stay within its budget.
        let limitedChecks: [String]
        /// Whether the recorder left out context switches to stay within its budget.
        let hasLimitedSwitches: Bool
        let notes: [String]
        let busy: BusyQueues
        let omittedItems: Int
        let omittedMarks: Int
        /// Number of tasks that are not in the page, and of omitted steps of the other tasks.
        let omittedTasks: Int
        let omittedTaskSteps: Int
        /// Number of findings, from the first, whose evidence is surrounded by every item.
        let findingsInFull: Int
        /// The windows around findings: begin, end and position of the finding, in order of time.
        let windows: [[Int64]]
    }

    struct QueueRow: Encodable {
        let serial: UInt64
        let label: String
        let kind: String
        let qos: String
        /// -1 for none.
        let target: Int32
        /// The exclusion queue of its hierarchy; -1 for none.
        let exclusion: Int32
        let busy: Int64
        let load: Double
        let waited: Int64
    }

    struct ThreadRow: Encodable {
        let tid: UInt32
        let name: String
        let start: Int64
        /// -1 when the thread existed at the end of the trace.
        let end: Int64
        let busy: Int64
        let blocked: Int64
        /// True for a worker of libdispatch.
        let worker: Bool
    }

    struct LockRow: Encodable {
        let label: String
        let fair: Bool
    }

    struct SourceRow: Encodable {
        let type: String
        let handle: UInt64
        /// -1 when unknown.
        let queue: Int32
    }

    struct FindingRow: Encodable {
        struct Proof: Encodable {
            let time: Int64
            let thread: Int32
            /// The number of the task that it is about.
            let task: UInt64?
            let event: String
            let detail: String
        }
        struct CallStack: Encodable {
            let title: String
            let frames: [String]
        }

        let id: String
        let detector: String
        let focus: FindingFocus
        let severity: String
        let summary: String
        let queues: [Int32]
        let locks: [Int32]
        let begin: Int64
        let end: Int64
        let cost: Int64
        let occurrences: Int
        let measures: [[String]]
        let evidence: [Proof]
        let code: [Int32]
        let stacks: [CallStack]
        let advice: String
        let caveat: String?
        /// In a comparison: `gone`, `new`, `worse` or `same`.
        let change: String?
    }

    /// The JSON of the members that do not change, by name.
    private let members: [String: [UInt8]]

    init(_ side: TimelineSide, title: String) {
        let analysis = side.analysis
        let model = analysis.model
        var statistics = [QueueStatistics?](repeating: nil, count: model.queues.count)
        for entry in analysis.queues where entry.queue.position < statistics.count {
            statistics[entry.queue.position] = entry
        }
        var work = [ThreadStatistics?](repeating: nil, count: model.threads.count)
        for entry in analysis.threads where entry.thread.position < work.count { work[entry.thread.position] = entry }
        var members: [String: [UInt8]] = [:]
        members["title"] = Self.json(title)
        members["queues"] = Self.json(model.queues) { QueueRow($0, statistics[$0.index.position], in: model) }
        members["threads"] = Self.json(model.threads) { ThreadRow($0, work[$0.index.position]) }
        members["codes"] = Self.json(model.codes) { $0.description }
        if let links = side.links { members["links"] = Self.json(links) }
        members["locks"] = Self.json(model.locks) { LockRow(label: $0.name, fair: $0.isFair) }
        members["sources"] = Self.json(model.sources) {
            SourceRow(type: $0.type.description, handle: $0.handle, queue: $0.queue?.rawValue ?? -1)
        }
        members["findings"] = Self.json(analysis.findings) { FindingRow($0, of: side) }
        members["kinds"] = Self.json(ItemKind.allCases) { $0.description }
        members["waitObjects"] = Self.json(Self.rows(of: side.collector.waitObjects, in: model)) { $0 }
        members["openWaits"] = Self.json(OpenWaits(analysis))
        self.members = members
    }

    /// UTF-8 JSON with sorted keys, so that equal analyses give equal bytes.
    ///
    /// - Parameters:
    ///   - side: the trace, with the details that the collector still has.
    ///   - strings: the texts of these details.
    func json(of side: TimelineSide, strings: StringTable) -> [UInt8] {
        var members = members
        members["trace"] = Self.json(Trace(side.analysis, side.collector))
        members["strings"] = Self.json(strings.strings) { $0 }
        var text: [UInt8] = []
        text.reserveCapacity(members.values.reduce(512) { $0 + $1.count })
        for (name, json) in members.sorted(by: { $0.key < $1.key }) {
            text.append(contentsOf: "\(text.isEmpty ? "{" : ",")\"\(name)\":".utf8)
            text.append(contentsOf: json)
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// The JSON of an array. Encodes a limited number of rows at a time, because the encoder needs much more memory
    /// than the text.
    private static func json<Elements: RandomAccessCollection, Row: Encodable>(
        _ elements: Elements, _ row: (Elements.Element) -> Row
    ) -> [UInt8] {
        let most = 4_096
        var text: [UInt8] = []
        var rest = elements[...]
        while !rest.isEmpty {
            text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
            text.append(contentsOf: json(rest.prefix(most).map(row)).dropFirst().dropLast())
            rest = rest.dropFirst(most)
        }
        return text.isEmpty ? Array("[]".utf8) : text + [UInt8(ascii: "]")]
    }

    private static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "0", negativeInfinity: "0", nan: "0")
        // Every value is a string, a finite number or an array of these, which JSON can represent.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
    }
}

extension TimelineDocument.Trace {
    fileprivate init(_ analysis: Analysis, _ collector: TimelineCollector) {
        let trace = analysis.trace
        program = trace.processes.first?.name ?? ""
        pid = trace.processes.first?.pid ?? 0
        host = trace.host
        processors = trace.processors.count
        processorText = CompactNumber.processors(trace.processors)
        events = trace.events
        discarded = trace.discarded
        begin = trace.begin.nanoseconds
        end = trace.end.nanoseconds
        // A string, because 64-bit wall-clock nanoseconds do not fit a JavaScript number.
        unixNanoseconds = String(trace.beginUnixNanoseconds)
        quality = analysis.quality.score
        let checks = analysis.quality.checks
        failedChecks = checks.filter { !$0.passed }.map { "\($0.id): \($0.detail)" }
        limitedChecks = checks.filter { $0.passed && $0.isLimited }.map { "\($0.id): \($0.detail)" }
        hasLimitedSwitches = analysis.model.switchPauses.threads > 0
        notes = trace.notes
        busy = BusyQueues(in: analysis)
        omittedItems = collector.omittedItems
        omittedMarks = collector.omittedMarks
        omittedTasks = collector.tasks.kept.omittedCount
        omittedTaskSteps = collector.tasks.omittedSteps
        findingsInFull = collector.findingsInFull(of: analysis.findings.count)
        windows = collector.windows.windows.map { [$0.begin, $0.end, Int64($0.rank)] }
    }
}

extension TimelineDocument.QueueRow {
    fileprivate init(_ queue: Queue, _ statistics: QueueStatistics?, in model: DispatchModel) {
        serial = queue.serialNumber
        label = queue.name
        kind = queue.kind.rawValue
        qos = queue.qos.description
        target = queue.target?.rawValue ?? -1
        exclusion = Self.exclusionQueue(of: queue, in: model)
        busy = statistics?.busy.count ?? 0
        load = statistics?.utilisation ?? 0
        waited = statistics?.waitTotal.count ?? 0
    }

    /// The serial queue nearest to the root. The loop is bounded, because a damaged trace can have a cycle of targets.
    private static func exclusionQueue(of queue: Queue, in model: DispatchModel) -> Int32 {
        var bottom: Int32 = -1
        var level: Queue? = queue
        var steps = 0
        while let current = level, steps <= model.queues.count {
            if current.isSerial { bottom = current.index.rawValue }
            level = current.target.map { model[$0] }
            steps += 1
        }
        return bottom
    }
}

extension TimelineDocument.ThreadRow {
    fileprivate init(_ thread: Thread, _ statistics: ThreadStatistics?) {
        tid = thread.tid
        name = thread.name
        start = thread.startedAt.nanoseconds
        end = thread.endedAt?.nanoseconds ?? -1
        busy = statistics?.busy.count ?? 0
        blocked = statistics?.blocked.count ?? 0
        worker = thread.root != nil || thread.name == "worker"
    }
}

extension TimelineDocument.FindingRow {
    fileprivate init(_ finding: Finding, of side: TimelineSide) {
        id = finding.id
        detector = finding.detector
        focus = finding.focus
        severity = finding.severity.rawValue
        summary = finding.summary
        queues = finding.queues.map(\.rawValue)
        locks = finding.locks.map(\.rawValue)
        begin = finding.begin.nanoseconds
        end = finding.end.nanoseconds
        cost = finding.cost.count
        occurrences = finding.occurrences
        measures = finding.measures.map { [$0.name, $0.text] }
        evidence = finding.evidence.map {
            Proof(
                time: $0.time.nanoseconds, thread: $0.thread.rawValue, task: $0.task, event: $0.event,
                detail: $0.detail)
        }
        code = finding.code.map(\.rawValue)
        stacks = finding.stacks.map { CallStack(title: $0.title, frames: side.frames($0.stack)) }
        advice = finding.advice.text
        caveat = finding.caveat
        change = side.changes[finding.id]?.rawValue
    }
}

extension Signpost {
    /// The name of the signpost's track.
    var timelineName: String {
        let origin = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ".")
        return origin.isEmpty ? name : "\(name) (\(origin))"
    }
}
