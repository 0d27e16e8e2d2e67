/// Matches the begins and ends of signpost intervals.
struct SignpostTracker {
    private struct Log {
        var subsystem = ""
        var category = ""
    }
    private struct Interval {
        let log: UInt32
        let code: CodeIndex
        let message: String
        let thread: ThreadIndex
        let begin: Int64
        let id: UInt64
        let task: UInt64?
    }

    private var logs: [UInt32: Log] = [:]
    private var open: [UInt64: Interval] = [:]

    mutating func define(_ event: DispatchEvent.SignpostLog) {
        logs[event.log] = Log(subsystem: event.subsystem, category: event.category)
    }

    mutating func begin(
        _ event: DispatchEvent.SignpostBegin, at moment: Moment, task: UInt64?, in state: inout ModelState
    ) {
        open[event.signpost] = Interval(
            log: event.log, code: state.codes.code(event.code), message: event.message, thread: moment.thread,
            begin: moment.time,
            id: event.signpost, task: task)
    }

    mutating func end(_ event: DispatchEvent.SignpostEnd, at moment: Moment, in state: inout ModelState) {
        // The begin precedes the recording, so the duration of the interval is unknown.
        guard let interval = open.removeValue(forKey: event.signpost) else { return }
        emit(
            interval,
            message: [interval.message, event.message].filter { !$0.isEmpty }.joined(separator: " → "),
            endThread: moment.thread, end: moment.time, isEvent: false, in: &state)
        state.endedSignpost(named: state.codes[interval.code].symbol, from: interval.begin, at: moment)
    }

    mutating func event(
        _ event: DispatchEvent.SignpostEvent, at moment: Moment, task: UInt64?, in state: inout ModelState
    ) {
        let point = Interval(
            log: event.log, code: state.codes.code(event.code), message: event.message, thread: moment.thread,
            begin: moment.time,
            id: event.signpost, task: task)
        emit(point, message: event.message, endThread: moment.thread, end: moment.time, isEvent: true, in: &state)
    }

    private func emit(
        _ interval: Interval, message: @autoclosure () -> String, endThread: ThreadIndex, end: Int64, isEvent: Bool,
        isFinished: Bool = true, in state: inout ModelState
    ) {
        // Signposts are only followed for some reports.
        guard state.followed.contains(.signposts) else { return }
        let log = logs[interval.log] ?? Log()
        state.emit(
            .signpost(
                Signpost(
                    id: interval.id, subsystem: log.subsystem, category: log.category,
                    name: state.codes[interval.code].symbol, message: message(), code: interval.code,
                    beginThread: interval.thread, endThread: endThread,
                    begin: Timestamp(nanoseconds: interval.begin), end: Timestamp(nanoseconds: end),
                    isEvent: isEvent, isFinished: isFinished, task: interval.task)))
    }

    /// Ends the open intervals at the end of the trace.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        for interval in open.values.sorted(by: { ($0.begin, $0.id) < ($1.begin, $1.id) }) {
            emit(
                interval, message: interval.message, endThread: interval.thread, end: time, isEvent: false,
                isFinished: false, in: &state)
        }
        open.removeAll()
    }
}
