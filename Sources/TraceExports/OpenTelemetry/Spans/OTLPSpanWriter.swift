import DispatchAnalysis
import DispatchModel

/// Turns the records of a process into spans.
///
/// A record outside of requests has ids of the recording: the items of an async chain share a trace, and so do a task
/// and its awaits.
struct OTLPSpanWriter {
    /// The span above another one, and their trace.
    private struct Parent {
        let trace: OTLPTraceID
        var span: OTLPSpanID?
        /// A span of another trace that caused this one.
        var cause: OTLPSpan.Link?
        var isRequest = false
    }

    /// Submissions of an async chain that share a trace. A timer that submits itself again has a chain without end, and
    /// backends limit the spans of a trace. The next part of the chain is a new trace with a link to the last one.
    private static let chainLength: Int32 = 100

    private let analysis: Analysis
    private let options: OTLPExport.Options
    private let identity: OTLPIdentity
    private let contexts: OTLPContexts
    private var chains: OTLPItemChains
    private let events: OTLPContextRecorder
    private let evidence: OTLPEvidence
    private let names: OTLPEntityNames
    private let origin: Int64
    private var batches: OTLPSpanBatches
    private(set) var counts = OTLPExport.Counts()

    private static let unfinished = OTLPAttribute.flag("queuescope.unfinished", true)

    init(
        _ analysis: Analysis, _ options: OTLPExport.Options, _ identity: OTLPIdentity, _ contexts: OTLPContexts,
        _ chains: OTLPItemChains, events: OTLPContextRecorder, to batches: OTLPSpanBatches
    ) {
        (self.analysis, self.options, self.identity) = (analysis, options, identity)
        (self.contexts, self.chains, self.events, self.batches) = (contexts, chains, events, batches)
        origin = analysis.trace.beginUnixNanoseconds
        names = OTLPEntityNames(analysis.model)
        evidence = OTLPEvidence(analysis.findings, contexts, origin: origin)
    }

    /// - Throws: the error of the sink of the batches.
    mutating func write(_ record: OTLPRecord, _ text: String) throws {
        switch record.kind {
        case .item: try writeItem(record)
        case .pendingItem: try writePendingItem(record)
        case .blockedWait: try writeBlockedWait(record)
        case .task: try writeTask(record, name: text)
        case .await: try writeAwait(record)
        case .interval: try writeInterval(record, OTLPIntervalText(joined: text))
        }
    }

    /// Writes the findings and the remaining spans.
    ///
    /// - Throws: the error of the sink of the batches.
    mutating func finish() throws {
        try writeFindings()
        try batches.flush()
    }

    private mutating func add(_ span: OTLPSpan, in parent: Parent) throws {
        counts.spans += 1
        if parent.isRequest { counts.spansOfRequests += 1 }
        try batches.add(span)
    }

    private func span(
        _ object: OTLPIdentity.Object, _ record: OTLPRecord, _ name: String, below parent: Parent
    ) -> OTLPSpan {
        var span = OTLPSpan(
            trace: parent.trace, id: identity.span(object, UInt64(bitPattern: record.number)), parent: parent.span,
            name: name, begin: origin + record.begin, end: origin + record.end)
        if let cause = parent.cause { span.links = [cause] }
        return span
    }

    private func parent(_ place: OTLPContexts.Place) -> Parent {
        let node = contexts.node(place)
        return Parent(trace: node.trace, span: node.span, isRequest: true)
    }

    // MARK: Items

    private func trace(ofChain operation: Int64, hops: Int32) -> OTLPTraceID {
        identity.trace(.item, UInt64(bitPattern: operation) ^ UInt64(hops / Self.chainLength) << 40)
    }

    private func span(ofItem number: Int64) -> OTLPSpanID { identity.span(.item, UInt64(bitPattern: number)) }

    private mutating func parent(ofItem record: OTLPRecord) -> Parent {
        if let (place, isDirect) = chains.place(of: record.number) {
            var parent = parent(place)
            if !isDirect { parent.span = span(ofItem: record.parent) }
            return parent
        }
        guard record.kind == .item else {
            return Parent(trace: identity.trace(.pendingItem, UInt64(bitPattern: record.number)))
        }
        var parent = Parent(trace: trace(ofChain: record.operation, hops: record.hops))
        guard record.parent >= 0, record.hops > 0 else { return parent }
        if let (place, _) = chains.place(of: record.parent) {
            // A job of a task without a request, which an item of a request resumed.
            parent.cause = OTLPSpan.Link(trace: contexts.node(place).trace, span: span(ofItem: record.parent))
        } else if record.hops % Self.chainLength != 0 {
            parent.span = span(ofItem: record.parent)
        } else {
            parent.cause = OTLPSpan.Link(
                trace: trace(ofChain: record.operation, hops: record.hops - 1), span: span(ofItem: record.parent))
        }
        return parent
    }

    private mutating func writeItem(_ record: OTLPRecord) throws {
        let parent = parent(ofItem: record)
        var item = span(.item, record, names.work(of: record), below: parent)
        item.attributes = attributes(ofItem: record)
        item.attributes += names.attributes(ofThread: record.thread)
        if !record.flags.contains(.isFinished) { item.attributes.append(Self.unfinished) }
        item.events = evidence.events(
            on: ThreadIndex(Int(record.thread)), from: Timestamp(nanoseconds: record.middle),
            to: Timestamp(nanoseconds: record.end))
        try add(item, in: parent)
        guard record.middle - record.begin >= OTLPProcess.shortestWait.count else { return }
        var below = parent
        (below.span, below.cause) = (item.id, nil)
        let wait = OTLPSpan(
            trace: item.trace, id: identity.span(.itemWait, UInt64(bitPattern: record.number)), parent: item.id,
            name: "wait in \(names.queue(record.queue))", begin: item.begin, end: origin + record.middle,
            attributes: names.attributes(ofQueue: record.queue) + Self.attributes(of: record.waits))
        try add(wait, in: below)
    }

    private mutating func writePendingItem(_ record: OTLPRecord) throws {
        let parent = parent(ofItem: record)
        var item = span(.pendingItem, record, names.work(of: record), below: parent)
        item.attributes = attributes(ofItem: record)
        item.attributes.append(
            record.flags.contains(.isCancelled) ? .flag("queuescope.cancelled", true) : Self.unfinished)
        try add(item, in: parent)
    }

    private func attributes(ofItem record: OTLPRecord) -> [OTLPAttribute] {
        var attributes = names.attributes(ofQueue: record.queue)
        attributes.append(.text("queuescope.item.kind", "\(ItemKind(rawValue: record.detail))"))
        if record.flags.contains(.isBarrier) { attributes.append(.flag("queuescope.item.barrier", true)) }
        attributes += names.attributes(ofCode: record.code)
        return attributes + Self.attributes(of: record.waits)
    }

    private static func attributes(of waits: WaitParts) -> [OTLPAttribute] {
        waits.named.compactMap { part in
            part.value > .zero ? .integer("queuescope.wait.\(part.name)_ns", part.value.count) : nil
        }
    }

    // MARK: Waits

    private mutating func parent(ofWait record: OTLPRecord) -> Parent {
        let time = Timestamp(nanoseconds: record.begin)
        let isInItem = record.parent >= 0
        if !isInItem || record.flags.contains(.isInJob),
            let place = contexts.place(on: ThreadIndex(Int(record.thread)), at: time, until: time)
        {
            return parent(place)
        }
        guard isInItem, record.operation >= 0 else {
            return Parent(trace: identity.trace(.blockedWait, UInt64(bitPattern: record.number)))
        }
        let item = span(ofItem: record.parent)
        if let (place, _) = chains.place(of: record.parent) {
            return Parent(trace: contexts.node(place).trace, span: item, isRequest: true)
        }
        return Parent(trace: trace(ofChain: record.operation, hops: record.hops), span: item)
    }

    private mutating func writeBlockedWait(_ record: OTLPRecord) throws {
        let parent = parent(ofWait: record)
        let object = WaitObject(rawValue: record.detail)
        let name =
            switch object {
            case .group: "wait for a group"
            case .semaphore: "wait for a semaphore"
            case .queue: "wait in \(names.queue(record.queue))"
            case .lock: "wait for \(names.lock(record.lock))"
            case .item, nil: "wait for a work item"
            }
        var wait = span(.blockedWait, record, name, below: parent)
        if record.queue >= 0 { wait.attributes += names.attributes(ofQueue: record.queue) }
        wait.attributes += names.attributes(ofCode: record.code) + names.attributes(ofThread: record.thread)
        if record.flags.contains(.timedOut) { wait.attributes.append(.flag("queuescope.timed_out", true)) }
        if !record.flags.contains(.isFinished) { wait.attributes.append(Self.unfinished) }
        try add(wait, in: parent)
    }

    // MARK: Tasks

    private mutating func writeTask(_ record: OTLPRecord, name: String) throws {
        let number = UInt64(bitPattern: record.number)
        var parent: Parent
        if let (node, creator) = contexts.task(number) {
            parent = Parent(trace: node.trace, span: creator, isRequest: true)
        } else {
            parent = Parent(trace: identity.trace(.task, number))
            if record.parent >= 0 {
                let creator = UInt64(bitPattern: record.parent)
                parent.cause = OTLPSpan.Link(
                    trace: identity.trace(.task, creator), span: identity.span(.task, creator))
            }
        }
        var task = span(.task, record, "task \(name.isEmpty ? names.code(record.code) : name)", below: parent)
        task.attributes = [
            .text("swift.task.kind", "\(TaskKind(rawValue: record.detail))"), .integer("swift.task.id", record.number),
        ]
        task.attributes += names.attributes(ofCode: record.code)
        if record.flags.contains(.isCancelled) { task.attributes.append(.flag("queuescope.cancelled", true)) }
        if !record.flags.contains(.isFinished) { task.attributes.append(Self.unfinished) }
        try add(task, in: parent)
    }

    private mutating func writeAwait(_ record: OTLPRecord) throws {
        let task = UInt64(bitPattern: record.parent)
        let place = contexts.place(ofTask: task, at: Timestamp(nanoseconds: record.begin))
        let parent =
            place.map { self.parent($0) }
            ?? Parent(trace: identity.trace(.task, task), span: identity.span(.task, task))
        let kind = AwaitKind(rawValue: record.detail)
        let object = kind == .unknown ? "" : kind == .executor ? " an executor" : " a \(kind)"
        var wait = span(.await, record, "await\(object)", below: parent)
        wait.attributes = [.integer("swift.task.id", record.parent)] + names.attributes(ofCode: record.code)
        if !record.flags.contains(.isFinished) { wait.attributes.append(Self.unfinished) }
        try add(wait, in: parent)
    }

    // MARK: Intervals

    private mutating func writeInterval(_ record: OTLPRecord, _ text: OTLPIntervalText) throws {
        let context = text.context
        let parent: Parent
        let id: OTLPSpanID
        if record.number >= 0 {
            let (node, above) = contexts.interval(Int(record.number))
            (parent, id) = (Parent(trace: node.trace, span: above, isRequest: true), node.span)
        } else if let context, let trace = OTLPTraceID(context.traceID), let own = OTLPSpanID(context.spanID) {
            (parent, id) = (
                Parent(trace: trace, span: context.parentID.flatMap { OTLPSpanID($0) }, isRequest: true), own
            )
        } else {
            // No position of an interval has these bits.
            let number = UInt64(bitPattern: record.operation ^ record.begin) | 1 << 63
            (parent, id) = (Parent(trace: identity.trace(.interval, number)), identity.span(.interval, number))
        }
        let findings = record.number >= 0 ? evidence.events(of: Int(record.number)) : []
        guard context == nil || !options.omitsRecordedSpans else {
            let recorded = Parent(trace: parent.trace, span: id, isRequest: true)
            return try writeFindings(findings, of: record, below: recorded)
        }
        var interval = OTLPSpan(
            trace: parent.trace, id: id, parent: parent.span, name: context?.name ?? text.name,
            begin: origin + record.begin, end: origin + record.end)
        if let context {
            interval.kind = OTLPSpan.Kind(category: text.category)
            interval.attributes = context.pairs.map { .text($0.name, $0.value) }
            interval.error = context.error
        } else if !text.message.isEmpty {
            interval.attributes.append(.text("queuescope.message", text.message))
        }
        interval.attributes += names.attributes(ofCode: record.code) + names.attributes(ofThread: record.thread)
        if !record.flags.contains(.isFinished) { interval.attributes.append(Self.unfinished) }
        let own = events.events(of: UInt64(bitPattern: record.operation))
        interval.events = own.kept
            .filter { record.begin <= $0.time.nanoseconds && $0.time.nanoseconds <= record.end }
            .map { OTLPSpan.Event(time: origin + $0.time.nanoseconds, name: $0.name) }
        interval.droppedEvents = own.dropped
        interval.events += findings
        try add(interval, in: parent)
    }

    /// Writes the findings of a span that is not exported itself.
    private mutating func writeFindings(
        _ events: [OTLPSpan.Event], of record: OTLPRecord, below parent: Parent
    ) throws {
        guard !events.isEmpty else { return }
        var findings = span(.interval, record, "queuescope findings", below: parent)
        findings.events = events
        try add(findings, in: parent)
    }

    // MARK: Findings

    /// Writes the recording as a span, with the findings below it.
    private mutating func writeFindings() throws {
        guard !analysis.findings.isEmpty else { return }
        let trace = analysis.trace
        let top = Parent(trace: identity.trace(.recording, 0))
        var recording = OTLPSpan(
            trace: top.trace, id: identity.span(.recording, 0), name: "recording",
            begin: origin + trace.begin.nanoseconds, end: origin + trace.end.nanoseconds)
        recording.attributes = [
            .integer("queuescope.events", Int64(trace.events)),
            .integer("queuescope.events.discarded", Int64(trace.discarded)),
        ]
        try add(recording, in: top)
        for (number, finding) in analysis.findings.enumerated() {
            try add(span(of: finding, number, below: recording), in: top)
        }
    }

    private func span(of finding: Finding, _ number: Int, below recording: OTLPSpan) -> OTLPSpan {
        var span = OTLPSpan(
            trace: recording.trace, id: identity.span(.finding, UInt64(number)), parent: recording.id,
            name: finding.detector, begin: origin + finding.begin.nanoseconds, end: origin + finding.end.nanoseconds)
        span.attributes = [
            .text("queuescope.finding.id", finding.id), .text("queuescope.finding.severity", finding.severity.rawValue),
            .text("queuescope.finding.summary", finding.summary),
            .text("queuescope.finding.advice", finding.advice.text),
            .integer("queuescope.finding.cost_ns", finding.cost.count),
            .integer("queuescope.finding.occurrences", Int64(finding.occurrences)),
        ]
        if let caveat = finding.caveat { span.attributes.append(.text("queuescope.finding.caveat", caveat)) }
        if let queue = finding.queues.first { span.attributes += names.attributes(ofQueue: queue.rawValue) }
        if let code = finding.code.first { span.attributes += names.attributes(ofCode: code.rawValue) }
        span.events = finding.evidence.prefix(OTLPContextRecorder.eventLimit).map { evidence in
            OTLPSpan.Event(
                time: origin + evidence.time.nanoseconds, name: evidence.event,
                attributes: [.text("queuescope.finding.evidence", evidence.detail)])
        }
        span.droppedEvents = finding.evidence.count - span.events.count
        span.links = evidence.intervals(of: number).map {
            let node = contexts.interval($0).node
            return OTLPSpan.Link(trace: node.trace, span: node.span)
        }
        return span
    }
}
