extension TraceMerge {
    /// Delivers the event records of a window of several traces in order of time, preceded by the earlier records that
    /// the reader needs.
    ///
    /// The records come in three parts: records before the window by their roles, and the whole run-up; the records of
    /// the window; names that were recorded later, with the end of the window as their time. Packets outside are not
    /// decoded.
    ///
    /// - Parameters:
    ///   - window: the window, in nanoseconds from the Unix epoch.
    ///   - traces: the traces. Their order decides between records of equal time.
    ///   - role: the role of an event class, by the indices of trace and class.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1.
    ///   - windowBegins: called between the first and the second part.
    ///   - windowEnds: called between the second and the third part.
    ///   - body: called with the index of the trace and the record, which is valid only during the call.
    /// - Returns: counts, losses and damage of each trace. Events and losses are limited to the window.
    /// - Throws: the errors of `windowBegins` and `body`.
    /// - Complexity: O(packets + records of the window × log streams), plus some nanoseconds for each record outside
    ///   the window, on all processors.
    public static func forEachEvent(
        in window: TraceWindow, of traces: [CTFTrace], role: @escaping (Int, Int) -> WindowRole,
        progress: ((Double) -> Void)? = nil, windowBegins: () throws -> Void, windowEnds: () -> Void = {},
        _ body: (Int, EventRecord) throws -> Void
    ) throws -> [ReadSummary] {
        let passes = passes(of: traces, order: .exactTime, window: window, role: role, progress: progress)
        try resume(passes, through: window.begin.clamped(minus: 1), body)
        try windowBegins()
        for pass in passes { pass.beginCounting() }
        try resume(passes, through: window.end, body)
        for pass in passes { pass.endCounting() }
        windowEnds()
        try resume(passes, through: .max) { index, record in
            guard role(index, record.classIndex).role == .name else { return }
            var record = record
            record.nanoseconds = window.end
            try body(index, record)
        }
        return finish(passes).map { $0.clipped(to: window) }
    }

    /// Delivers only the event records of a window of several traces, in the order of the times that babeltrace2 shows.
    static func forEachDisplayedEvent(
        in window: TraceWindow, of traces: [CTFTrace], progress: ((Double) -> Void)?,
        _ body: (Int, EventRecord) throws -> Void
    ) throws -> [ReadSummary] {
        let passes = passes(of: traces, order: .displayedTime, clocksAgree: false, window: window, progress: progress)
        // The displayed times may differ by a nanosecond from the exact bounds of the trace.
        let isFromBegin = window.begin <= window.whole.lowerBound
        let isToEnd = window.end >= window.whole.upperBound
        try resume(passes, through: isFromBegin ? .min : window.begin.clamped(minus: 1)) { _, _ in }
        for pass in passes { pass.beginCounting() }
        try resume(passes, through: isToEnd ? .max : window.end, body)
        return finish(passes).map { $0.clipped(to: window) }
    }

    /// Returns the time of the first event record of the traces.
    ///
    /// - Parameter traces: the traces.
    /// - Returns: nanoseconds from the Unix epoch; nil without records.
    /// - Complexity: O(streams).
    public static func begin(of traces: [CTFTrace]) -> Int64? {
        passes(of: traces, order: .exactTime, progress: nil).compactMap(\.nextTime).min()
    }

    /// Returns the times of the first and the last event record of the traces.
    ///
    /// - Parameter traces: the traces.
    /// - Returns: nanoseconds from the Unix epoch; nil without records.
    /// - Complexity: O(packets), plus the records of the last packets of the streams.
    public static func extent(of traces: [CTFTrace]) -> ClosedRange<Int64>? {
        guard let begin = begin(of: traces) else { return nil }
        let agreement = ClockAgreement(of: traces).agreed
        var end = begin
        for trace in traces {
            for (file, index) in zip(trace.files, trace.files.concurrentMap { $0.packets(of: trace.plan) }) {
                // A packet may end later than its last record.
                guard let clock = index.clock, let last = index.packets.last else { continue }
                let agreed = agreement[clock] ?? clock
                if let time = last.end.map(agreed.nanosecondsFromOrigin), time <= end { continue }
                let scan = PacketScan(
                    file, trace.plan, roles: Array(repeating: .passing, count: trace.eventClasses.count),
                    isOfOneThread: false)
                // The last packet may be empty.
                for packet in index.packets.reversed() {
                    guard let clock = scan.run(index.range(of: packet.offset, in: file)).lastClock else { continue }
                    end = max(end, agreed.nanosecondsFromOrigin(clock))
                    break
                }
            }
        }
        return begin...end
    }
}

extension CTFTrace {
    /// Delivers the event records of a window of the trace in batches, preceded by the earlier records that the reader
    /// needs. See ``TraceMerge/forEachEvent(in:of:role:progress:windowBegins:_:)``.
    ///
    /// - Parameters:
    ///   - window: the window, in nanoseconds from the Unix epoch.
    ///   - role: the role of an event class, by its index.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1, possibly on another thread.
    ///   - windowBegins: called before the first record of the window.
    ///   - body: called with a batch and the range of the next records in it, which are valid only during the call.
    /// - Returns: counts, losses and damage. Events and losses are limited to the window.
    /// - Throws: the errors of `windowBegins` and `body`.
    /// - Complexity: as for several traces.
    public func forEachBatch(
        in window: TraceWindow, role: (Int) -> WindowRole, progress: ((Double) -> Void)? = nil,
        windowBegins: () throws -> Void, _ body: (RecordBatch, Range<Int>) throws -> Void
    ) throws -> ReadSummary {
        let roles = eventClasses.indices.map(role)
        let pass = EventPass(
            of: self, agreement: ClockAgreement(of: [self]).agreed, order: .exactTime,
            window: WindowPlan(window: window, roles: roles), progress: progress)
        var (hasBegun, isOver) = (false, false)
        var counted = ReadSummary()
        var summary = try pass.runInBatches(readsAhead: true) { batch in
            var next = 0
            func take(while isIn: (Int64) -> Bool) throws -> Range<Int> {
                let begin = next
                while next < batch.count, isIn(batch.time(of: next)) { next += 1 }
                if begin < next { try body(batch, begin..<next) }
                return begin..<next
            }
            if !hasBegun {
                _ = try take { $0 < window.begin }
                guard next < batch.count else { return }
                hasBegun = true
                try windowBegins()
            }
            if !isOver {
                let range = try take { $0 <= window.end }
                if let first = range.first, let last = range.last {
                    if counted.events == 0 { counted.firstNanoseconds = batch.time(of: first) }
                    counted.lastNanoseconds = batch.time(of: last)
                    counted.events += range.count
                }
                isOver = next < batch.count
            }
            for position in next..<batch.count where roles[batch.record(position).classIndex].role == .name {
                batch.move(position, to: window.end)
                try body(batch, position..<position + 1)
            }
        }
        if !hasBegun { try windowBegins() }
        summary.events = counted.events
        summary.firstNanoseconds = counted.firstNanoseconds
        summary.lastNanoseconds = counted.lastNanoseconds
        return summary.clipped(to: window)
    }
}

extension ReadSummary {
    /// Removes the losses outside a window.
    fileprivate func clipped(to window: TraceWindow) -> ReadSummary {
        var clipped = self
        clipped.losses = losses.filter {
            $0.endNanoseconds ?? .max >= window.begin && $0.beginNanoseconds ?? .min <= window.end
        }
        func count(_ kind: TraceLoss.Kind) -> UInt64 {
            clipped.losses.reduce(0) { $1.kind == kind ? $0.clamped(plus: $1.count) : $0 }
        }
        clipped.discarded = count(.events)
        clipped.lostPackets = Int(clamping: count(.packets))
        return clipped
    }
}
