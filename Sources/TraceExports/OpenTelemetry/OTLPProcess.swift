import DispatchAnalysis
import DispatchModel

/// One process of an export for OpenTelemetry.
final class OTLPProcess: ModelObserver {
    /// Shorter waits have no span of their own. The span of an item has the parts of its wait as attributes.
    static let shortestWait = Nanoseconds.microseconds(100)

    private let options: OTLPExport.Options
    private var records = RecordSpool<OTLPRecord>()
    private var contexts = OTLPContextRecorder()
    private var metrics = OTLPMetrics()
    /// Waits in items that have not ended, by item.
    private var openWaits: [ItemNumber: [OTLPRecord]] = [:]
    private var waits: Int64 = 0

    /// - Parameter options: the choices of the user.
    init(_ options: OTLPExport.Options) { self.options = options }

    var followed: ObservationKinds {
        OTLPMetrics.follows.union([
            .pendingItems, .pendingForeignItems, .blockedWaits, .lockAcquisitions, .signposts, .taskRuns, .taskWaits,
        ])
    }

    /// Stores one observation. A failure is thrown by ``write(_:to:)``.
    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): add(item, in: model)
        case .pending(let item): records.append(OTLPRecord(item))
        case .handoff(let handoff): metrics.observe(handoff, in: model)
        case .blockedWait(let wait):
            add(OTLPRecord(wait, number: nextWait()), in: wait.waiter, lasting: wait.end - wait.begin)
        case .acquisition(let acquisition):
            guard case .lock(let lock) = acquisition.domain else { return }
            add(
                OTLPRecord(acquisition, of: lock, number: nextWait()), in: acquisition.item,
                lasting: acquisition.grantedAt - acquisition.requestedAt)
        case .signpost(let signpost): add(signpost)
        case .task(let task):
            metrics.observe(task)
            contexts.add(task)
            records.append(OTLPRecord(task), text: task.name)
        case .taskRun(let run): contexts.add(run)
        case .taskWait(let wait):
            guard (wait.resumedAt ?? wait.ended) - wait.began >= Self.shortestWait else { return }
            records.append(OTLPRecord(wait, number: nextWait()))
        default: break
        }
    }

    private func nextWait() -> Int64 {
        waits += 1
        return waits
    }

    private func add(_ item: Item, in model: DispatchModel) {
        metrics.observe(item, in: model)
        let record = OTLPRecord(item)
        records.append(record)
        for var wait in openWaits.removeValue(forKey: item.number) ?? [] {
            (wait.operation, wait.hops) = (record.operation, record.hops)
            if record.isJob { wait.flags.insert(.isInJob) }
            records.append(wait)
        }
    }

    /// Adds a wait. The end of the item around it determines the async chain.
    private func add(_ wait: OTLPRecord, in item: ItemNumber?, lasting duration: Nanoseconds) {
        guard duration >= Self.shortestWait else { return }
        if let item { openWaits[item, default: []].append(wait) } else { records.append(wait) }
    }

    private func add(_ signpost: Signpost) {
        guard !signpost.isEvent else { return contexts.add(event: signpost) }
        records.append(
            OTLPRecord(signpost, position: contexts.add(signpost)), text: OTLPIntervalText(signpost).joined)
    }

    /// Writes the spans and then the metrics of the process.
    ///
    /// - Parameters:
    ///   - analysis: the analysis that this export observed.
    ///   - sink: takes the next message.
    /// - Returns: the counts of everything written.
    /// - Throws: the error of `sink`, and ``TemporaryFileError`` when temporary files cannot be written.
    func write(_ analysis: Analysis, to sink: @escaping (OTLPBatch) throws -> Void) throws -> OTLPExport.Counts {
        let resource = OTLPResource(analysis.trace, service: options.service)
        let identity = OTLPIdentity(of: analysis.trace)
        // Their item was not observed, because a part of the trace is missing.
        for wait in openWaits.sorted(by: { $0.key < $1.key }).flatMap(\.value) { records.append(wait) }
        openWaits.removeAll()
        let places = try OTLPContexts(&contexts, identity)
        var chains = OTLPItemChains()
        if !places.isEmpty {
            try records.read { record, _ in
                guard record.kind == .item || record.kind == .pendingItem else { return }
                // A job belongs to the request of its task, not to the request of the item that resumed the task.
                let parent = record.isJob ? -1 : record.parent
                chains.add(record.number, parent: parent, place: places.place(of: record))
            }
        }
        var writer = OTLPSpanWriter(
            analysis, options, identity, places, chains, events: contexts,
            to: OTLPSpanBatches(resource, to: sink))
        try records.read { record, text in try writer.write(record, text) }
        try writer.finish()
        var counts = writer.counts
        counts.omittedContexts = contexts.omitted + places.omittedRuns
        (counts.metrics, counts.points) = try metrics.write(analysis, resource, to: sink)
        return counts
    }
}

extension OTLPContexts {
    /// The span in which an item was submitted. For a job of a Swift task, the span of the task.
    fileprivate func place(of item: OTLPRecord) -> Place? {
        if item.isJob, item.thread >= 0 {
            return place(
                on: ThreadIndex(Int(item.thread)), at: Timestamp(nanoseconds: item.middle),
                until: Timestamp(nanoseconds: item.end))
        }
        guard item.submitter >= 0 else { return nil }
        let time = Timestamp(nanoseconds: item.begin)
        return place(on: ThreadIndex(Int(item.submitter)), at: time, until: time)
    }
}
