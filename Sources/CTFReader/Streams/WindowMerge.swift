extension TraceMerge {
    /// Delivers the event records of a part of several traces in the order of time, and before them what the reader has
    /// to know of the time before.
    ///
    /// The records come in three stretches: those before the window, by their roles, and all of its run-up; those of the
    /// window; names that were recorded later, with the window's end as their time. Packets that lie outside are not decoded.
    ///
    /// - Parameters:
    ///   - window: the part, in nanoseconds from the Unix epoch.
    ///   - traces: the traces; their order decides between records of equal time.
    ///   - role: what the window wants of the records of an event class, by the positions of the trace and of the class.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - windowBegins: called between the first stretch and the second.
    ///   - windowEnds: called between the second stretch and the third.
    ///   - body: called with the trace's position and the record, which is valid only during the call.
    /// - Returns: counts, losses and damage of each trace; events and losses are those of the window.
    /// - Throws: what `windowBegins` or `body` throws.
    /// - Complexity: O(packets + records of the window × log streams); without going over records that have roles. Going
    ///   over the others costs some nanoseconds each, on all processors.
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

    /// Delivers the event records of a part of several traces, and nothing else, in the order of the times that babeltrace2
    /// shows.
    static func forEachDisplayedEvent(
        in window: TraceWindow, of traces: [CTFTrace], progress: ((Double) -> Void)?,
        _ body: (Int, EventRecord) throws -> Void
    ) throws -> [ReadSummary] {
        let passes = passes(
            of: traces, order: .displayedTime, clocksAgree: false, window: window, progress: progress)
        // The times shown may be a nanosecond off the exact ones that bound the trace.
        let isFromBegin = window.begin <= window.whole.lowerBound
        let isToEnd = window.end >= window.whole.upperBound
        try resume(passes, through: isFromBegin ? .min : window.begin.clamped(minus: 1)) { _, _ in }
        for pass in passes { pass.beginCounting() }
        try resume(passes, through: isToEnd ? .max : window.end, body)
        return finish(passes).map { $0.clipped(to: window) }
    }

    /// The time of the first event record of traces.
    ///
    /// - Parameter traces: the traces.
    /// - Returns: nanoseconds from the Unix epoch; nil without records.
    /// - Complexity: O(streams).
    public static func begin(of traces: [CTFTrace]) -> Int64? {
        passes(of: traces, order: .exactTime, progress: nil).compactMap(\.nextTime).min()
    }

    /// The times of the first and of the last event record of traces.
    ///
    /// - Parameter traces: the traces.
    /// - Returns: nanoseconds from the Unix epoch; nil without records.
    /// - Complexity: O(packets), and the last packets of the streams.
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
                // An empty packet may come last.
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
    /// Delivers the event records of a part of the trace, and before them what the reader has to know of the time
    /// before, as ``TraceMerge/forEachEvent(in:of:role:progress:windowBegins:_:)`` does, many at a time.
    ///
    /// - Parameters:
    ///   - window: the part, in nanoseconds from the Unix epoch.
    ///   - role: what the window wants of the records of an event class, by the position of the class.
    ///   - progress: called now and then with the share of bytes read, 0 to 1, maybe by another thread.
    ///   - windowBegins: called before the window's first record.
    ///   - body: called with a batch and the records in it that come next, which are valid only during the call.
    /// - Returns: counts, losses and damage; events and losses are those of the window.
    /// - Throws: what `windowBegins` or `body` throws.
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
    /// Without what was lost outside of a window.
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
