import Dispatch

/// Writes event records as text, one line each, in the format of babeltrace2.
///
/// ```
///   caller     ├─ find 1 ─┤├─ find 2 ─┤├─ find 3 ─┤├─ write 1 ─┤├─ find 4 ─┤…
///   worker                 ├──── format 1 ────┤├──── format 3 ────┤
///   worker                             ├──── format 2 ────┤
/// ```
public enum EventFormatter {
    /// What stands at the beginning of each line.
    public struct Options: Hashable, Sendable {
        /// Whether times are clock values rather than local times of day.
        public var clockCycles: Bool
        /// Whether the time since the record before is shown.
        public var delta: Bool

        /// Creates options; without arguments those that babeltrace2 has by default.
        public init(clockCycles: Bool = false, delta: Bool = true) {
            self.clockCycles = clockCycles
            self.delta = delta
        }
    }

    /// Writes every event record of traces in one order of time, each by its own clock's offset; those of one trace in
    /// the order in which babeltrace2 lists them.
    ///
    /// - Parameters:
    ///   - traces: the traces; their order decides between records of equal time.
    ///   - options: what stands at the beginning of each line.
    ///   - window: the part that is written; nil for everything.
    ///   - includes: whether a record of the trace at this place is written.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - write: called with the text of one or more whole lines, newlines included; it is UTF-8 unless the traces'
    ///     own texts are not.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `write` throws.
    public static func write(
        _ traces: [CTFTrace], options: Options = Options(), window: TraceWindow? = nil,
        including includes: (Int, EventRecord) -> Bool = { _, _ in true },
        progress: ((Double) -> Void)? = nil,
        to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> [ReadSummary] {
        let forms = traces.map(RecordForms.init)
        return try withExtendedLifetime(forms) {
            let ring = LineRing(options)
            // Whatever happens, nobody formats records of traces that may be gone.
            defer { ring.wait() }
            var packets = PacketTexts()
            func append(_ index: Int, _ record: EventRecord) throws {
                guard includes(index, record) else { return }
                ring.append(record, forms[index][record.classIndex], &packets)
                if ring.isFull { try ring.turn(write) }
            }
            let summaries: [ReadSummary]
            if let window {
                summaries = try TraceMerge.forEachDisplayedEvent(in: window, of: traces, progress: progress, append)
            } else {
                let passes = TraceMerge.passes(
                    of: traces, order: .displayedTime, clocksAgree: false, progress: progress)
                summaries = try TraceMerge.run(passes, append)
            }
            try ring.finish(write)
            return summaries
        }
    }
}

/// Batches of lines on their way: one is filled, those before it are formatted on any processor, and the oldest is
/// written when its place is wanted.
private final class LineRing {
    /// More batches than finding them can keep processors busy with.
    private static let count = 12

    private let batches: [LineBatch]
    private let formatters = DispatchQueue(label: "org.queuescope.formatters", attributes: .concurrent)
    /// What formats each batch; nil for one that is written.
    private var work: [DispatchWorkItem?]
    /// The batch that is filled.
    private var current = 0
    /// The time of the last record, nil when there is none.
    private var last: UInt64?

    init(_ options: EventFormatter.Options) {
        batches = (0..<Self.count).map { _ in LineBatch(options) }
        work = Array(repeating: nil, count: Self.count)
        batches[0].begin(after: nil)
    }

    var isFull: Bool { batches[current].isFull }

    func append(_ record: EventRecord, _ form: UnsafePointer<RecordForm>, _ packets: inout PacketTexts) {
        if let time = batches[current].append(record, form, &packets) { last = time }
    }

    /// Has the batch formatted, and goes on with the next one, whose lines are written first.
    func turn(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let batch = batches[current]
        let item = DispatchWorkItem { batch.format() }
        work[current] = item
        formatters.async(execute: item)
        current = (current + 1) % Self.count
        try writeCurrent(write)
        batches[current].begin(after: last)
    }

    /// Writes all lines that are left.
    func finish(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        for _ in batches { try turn(write) }
    }

    private func writeCurrent(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let item = work[current] else { return }
        item.wait()
        work[current] = nil
        if !batches[current].isEmpty { try batches[current].withLines(write) }
    }

    /// Waits for what is being formatted.
    func wait() { for item in work { item?.wait() } }
}
