import Dispatch

/// Writes event records as text, one line each, in the format of babeltrace2.
///
/// ```
///   caller     ├─ find 1 ─┤├─ find 2 ─┤├─ find 3 ─┤├─ write 1 ─┤├─ find 4 ─┤…
///   worker                 ├──── format 1 ────┤├──── format 3 ────┤
///   worker                             ├──── format 2 ────┤
/// ```
public enum EventFormatter {
    /// Options for the start of each line.
    public struct Options: Hashable, Sendable {
        /// Whether times are clock values instead of local times of day.
        public var clockCycles: Bool
        /// Whether lines have the time since the previous record.
        public var delta: Bool

        /// Creates options. The defaults match babeltrace2.
        public init(clockCycles: Bool = false, delta: Bool = true) {
            self.clockCycles = clockCycles
            self.delta = delta
        }
    }

    /// Writes every event record of the traces in order of time. Each trace uses the offset of its own clock. The
    /// records of one trace have the order in which babeltrace2 lists them.
    ///
    /// - Parameters:
    ///   - traces: the traces. Their order decides between records of equal time.
    ///   - options: options for the start of each line.
    ///   - window: the window to write; nil for everything.
    ///   - includes: whether to write a record. The integer is the index of the trace.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1.
    ///   - write: called with one or more whole lines, newlines included. The text is UTF-8 unless strings of the trace
    ///     are not.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `write` throws.
    public static func write(
        _ traces: [CTFTrace], options: Options = Options(), window: TraceWindow? = nil,
        including includes: (Int, EventRecord) -> Bool = { _, _ in true },
        progress: ((Double) -> Void)? = nil,
        to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> [ReadSummary] {
        let formats = traces.map(LineFormats.init)
        return try withExtendedLifetime(formats) {
            let ring = LineRing(options)
            // Wait on every exit, so that no formatter reads the records of a closed trace.
            defer { ring.wait() }
            var packets = PacketTexts()
            func append(_ index: Int, _ record: EventRecord) throws {
                guard includes(index, record) else { return }
                ring.append(record, formats[index][record.classIndex], &packets)
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

/// A ring of line batches. One batch is being filled, earlier batches are formatted on any processor, and the oldest
/// one is written before its slot is reused.
private final class LineRing {
    /// More batches than the formatters can use while one thread finds records.
    private static let count = 12

    private let batches: [LineBatch]
    private let formatters = DispatchQueue(label: "org.queuescope.formatters", attributes: .concurrent)
    /// The formatting work item of each batch; nil for a batch that is written.
    private var work: [DispatchWorkItem?]
    /// The index of the batch that is being filled.
    private var current = 0
    /// The time of the last record; nil before the first one.
    private var last: UInt64?

    init(_ options: EventFormatter.Options) {
        batches = (0..<Self.count).map { _ in LineBatch(options) }
        work = Array(repeating: nil, count: Self.count)
        batches[0].begin(after: nil)
    }

    var isFull: Bool { batches[current].isFull }

    func append(_ record: EventRecord, _ format: UnsafePointer<LineFormat>, _ packets: inout PacketTexts) {
        if let time = batches[current].append(record, format, &packets) { last = time }
    }

    /// Starts formatting the current batch and moves to the next one. The old lines of the next batch are written
    /// first.
    func turn(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let batch = batches[current]
        let item = DispatchWorkItem { batch.format() }
        work[current] = item
        formatters.async(execute: item)
        current = (current + 1) % Self.count
        try writeCurrent(write)
        batches[current].begin(after: last)
    }

    /// Writes the remaining lines.
    func finish(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        for _ in batches { try turn(write) }
    }

    private func writeCurrent(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let item = work[current] else { return }
        item.wait()
        work[current] = nil
        if !batches[current].isEmpty { try batches[current].withLines(write) }
    }

    /// Waits until no batch is being formatted.
    func wait() { for item in work { item?.wait() } }
}
