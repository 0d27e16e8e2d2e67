import CTFReader
import TraceSchema

/// All traces at a path or below it, read as one: the processes of one machine or of several, in one order of time.
///
/// The path can be a trace, a directory with the traces of several processes, an LTTng session with its domains,
/// buffers, snapshots and rotated pieces, or the output of a relay daemon for several machines. A kernel trace next to
/// them contains the context switches of their threads.
public struct TraceCollection {
    /// The directory.
    public let path: String
    /// The traces with events of the catalogue, by path.
    public let traces: [DispatchTrace]
    /// Found and skipped traces, one sentence each.
    public let notes: [String]
    let kernels: [KernelTrace]
    /// By trace: the time from which on it is complete, in nanoseconds since 1970-01-01T00:00:00Z; `.min` if it is
    /// complete from its begin.
    let wholeSince: [Int64]

    /// Opens every trace.
    ///
    /// If there are several, unreadable traces and traces without dispatch events are skipped with a note.
    ///
    /// - Parameter path: a directory.
    /// - Throws: `CTFError` or ``DispatchTraceError`` if no trace remains that can be analysed.
    public init(path: String) throws {
        let (directories, unreadable) = try TraceSearch.traces(at: path)
        self.path = path
        if directories.isEmpty, let error = unreadable.first { throw error }
        guard directories.count > 1 || !unreadable.isEmpty else {
            // If there is no trace, the error of the reader describes that.
            traces = [try DispatchTrace(path: directories.first ?? path)]
            kernels = []
            notes = []
            wholeSince = Self.wholeSince(traces)
            return
        }
        var traces: [DispatchTrace] = []
        var kernels: [KernelTrace] = []
        var notes = unreadable.map { "A trace may be missing. \($0)." }
        var foreign: [String] = []
        var firstError: (any Error)?
        for directory in directories {
            do {
                let trace = try CTFTrace(path: directory)
                if let kernel = KernelTrace(trace) {
                    kernels.append(kernel)
                } else {
                    traces.append(try DispatchTrace(trace))
                }
            } catch let error as DispatchTraceError where error.code == .notADispatchTrace {
                foreign.append(directory)
                if firstError == nil { firstError = error }
            } catch {
                notes.append("A trace is left out. \(error)" + ("\(error)".hasSuffix(".") ? "" : "."))
                firstError = error
            }
        }
        guard !traces.isEmpty else {
            throw firstError
                ?? DispatchTraceError(
                    .notADispatchTrace, path: path,
                    "Cannot analyse \(path): it has only kernel traces; record the program with queuescope record.")
        }
        if let first = foreign.first {
            notes.append(
                foreign.count == 1
                    ? "\(first) has no dispatch events and is left out."
                    : "\(foreign.count) traces have no dispatch events and are left out; the first is \(first).")
        }
        self.traces = traces
        self.kernels = kernels
        self.notes = notes + kernels.flatMap { MissingFiles(of: $0.trace).notes }
        wholeSince = Self.wholeSince(traces)
    }

    /// Overwritten definitions are not counted, because their time is not relevant.
    private static func wholeSince(_ traces: [DispatchTrace]) -> [Int64] {
        let counted = traces.map { trace in
            let events = zip(trace.trace.eventClasses, trace.classes).filter { $1.id != 0 && !$1.isDefinition }
            return Set(events.map(\.0.streamClassID))
        }
        return TraceMerge.wholeSince(traces.map(\.trace)) { counted[$0].contains($1.id) }.map { $0 ?? .min }
    }

    /// The only trace, if its metadata identify its process, there are no other files next to it, and its begin was not
    /// overwritten. All of its events then belong to that process and count.
    public var soleTrace: DispatchTrace? {
        guard traces.count == 1, kernels.isEmpty, traces[0].processID != 0, notes.isEmpty, wholeSince == [.min]
        else { return nil }
        return traces[0]
    }

    /// The traces, if each can be read separately: each belongs to a different process and is complete from its begin,
    /// and there is no kernel trace. Otherwise nil.
    public var independentTraces: [DispatchTrace]? {
        let identities = traces.compactMap(\.trace.uuid)
        let areApart =
            identities.count == traces.count && Set(identities).count == traces.count && kernels.isEmpty
            && wholeSince.allSatisfy { $0 == .min } && traces.allSatisfy { $0.processID != 0 && $0.backend == "ring" }
        return areApart ? traces : nil
    }

    /// The common clock of the traces.
    public var clocks: ClockAgreement { ClockAgreement(of: traces.map(\.trace)) }

    /// The result of reading all traces.
    public struct Summary: Sendable {
        /// The processes, in the order of their first event.
        public let processes: [TracedProcess]
        /// By process: the outcome of reading its traces. A trace with several processes counts for each of them,
        /// because its losses do not identify the process.
        public let outcomes: [ReadOutcome]
        /// All traces together, each counted once.
        public let total: ReadOutcome
        /// Found and skipped traces, and missing information, one sentence each.
        public let notes: [String]
    }

    /// Reads all traces, or a part of them, in one order of time.
    ///
    /// - Parameters:
    ///   - window: the part; nil for everything. The required events before the window are passed first.
    ///   - progress: called regularly with the fraction that has been read, from 0 to 1.
    ///   - windowBegins: called before the window's first event.
    ///   - windowEnds: called after the window's last event. Later events are definitions only.
    ///   - begin: called for every process before its first event. Processes are numbered in this order.
    ///   - kernel: called for an event of a kernel trace about a thread that has recorded an event before. The time
    ///     is in nanoseconds since 1970-01-01T00:00:00Z, and the number is the number of the process.
    ///   - body: called for every event of the catalogue, or for several consecutive ones.
    /// - Returns: the processes, counts and damage.
    /// - Throws: the errors of the reader and of the closures.
    public func forEachEvent(
        in window: TraceWindow? = nil, progress: ((Double) -> Void)? = nil, windowBegins: () throws -> Void = {},
        windowEnds: () -> Void = {}, begin: (TracedProcess) throws -> Void = { _ in },
        kernel: (KernelEvent, Int64, Int) throws -> Void = { _, _, _ in },
        _ body: (RoutedRecords) throws -> Void
    ) throws -> Summary {
        // A window can exclude the first event of a process.
        var routing = RecordRouting(self, begins: window == nil ? [] : traces.indices.map(firstTime))
        func deliver(_ index: Int, _ record: EventRecord, _ routing: inout RecordRouting) throws {
            guard index < traces.count else {
                return try kernels[index - traces.count].decode(record) { event, tid in
                    guard let process = routing.process(of: tid, kernel: index - traces.count, record) else { return }
                    try kernel(event, record.nanoseconds, process)
                }
            }
            try traces[index].withFields { fields in
                guard let records = try routing.route(record, of: index, fields, begin) else { return }
                try body(records)
            }
        }
        let all = traces.map(\.trace) + kernels.map(\.trace)
        let summaries: [ReadSummary]
        if let window {
            summaries = try TraceMerge.forEachEvent(
                in: window, of: all, role: { $0 < traces.count ? traces[$0].classes[$1].role : .init(.passing) },
                progress: progress,
                windowBegins: {
                    routing.forgetCounts()
                    try windowBegins()
                }, windowEnds: windowEnds
            ) { try deliver($0, $1, &routing) }
        } else if all.count == 1, traces[0].namesProcessInPayload {
            summaries = [
                try traces[0].withFields { fields in
                    try traces[0].trace.forEachBatch(clocks: clocks, readsAhead: true, progress: progress) { batch in
                        var position = 0
                        while position < batch.count {
                            if let records = try routing.route(batch, from: &position, fields, begin) {
                                try body(records)
                            }
                        }
                    }
                }
            ]
        } else {
            summaries = try TraceMerge.forEachEvent(of: all, progress: progress) { try deliver($0, $1, &routing) }
        }
        return summary(of: summaries, in: window, routing)
    }

    /// The time of a process's first event; `Int64.max` if its trace has several processes.
    private func firstTime(of index: Int) -> Int64 {
        guard traces[index].processID != 0 else { return .max }
        let pieces = traces.filter { $0.trace.uuid != nil && $0.trace.uuid == traces[index].trace.uuid }.map(\.trace)
        let begin = TraceMerge.begin(of: pieces.isEmpty ? [traces[index].trace] : pieces)
        return max(begin ?? .max, wholeSince[index])
    }

    /// The times of the first and of the last event. Times that a user enters are relative to this interval.
    ///
    /// - Parameter process: the requested process; nil for all.
    /// - Returns: nanoseconds since 1970-01-01T00:00:00Z; nil without events. If the metadata do not identify the
    ///   processes, the times of all processes.
    /// - Complexity: O(packets).
    public func extent(of process: ProcessSelector?) -> ClosedRange<Int64>? {
        let named = traces.indices.filter { index in
            traces[index].processID != 0 && process.map { $0.matches(traces[index].process) } ?? true
        }
        let indices = named.isEmpty || process == nil ? Array(traces.indices) : named
        guard let whole = TraceMerge.extent(of: indices.map { traces[$0].trace }) else { return nil }
        let begin = max(whole.lowerBound, indices.map { wholeSince[$0] }.min() ?? .min)
        return min(begin, whole.upperBound)...whole.upperBound
    }

    /// A note about a trace without any event, whose process is therefore not listed; nil if nothing was discarded.
    package static func noteOnEmptyTrace(_ trace: DispatchTrace, discarded: Int) -> String? {
        guard discarded > 0 else { return nil }
        return "\(trace.trace.path) has no events: the recorder discarded all \(GroupedNumber.text(discarded)). "
            + "Its process is not listed."
    }

    /// The part of a flight recorder's window that traces have; nil without a window. A shortened window comes first.
    private func coverage(of indices: [Int]) -> WindowCoverage? {
        let parts = indices.compactMap { index -> WindowCoverage? in
            let trace = traces[index].trace
            guard let window = RecordingWindow(of: trace), let extent = TraceMerge.extent(of: [trace]) else {
                return nil
            }
            return WindowCoverage(
                window: window, coveredNanoseconds: extent.upperBound.clamped(minus: wholeSince[index]))
        }
        return parts.first { $0.window.isShortened } ?? parts.first
    }

    private func summary(of summaries: [ReadSummary], in window: TraceWindow?, _ routing: RecordRouting) -> Summary {
        let router = routing.router
        func outcome(of indices: [Int], begin: Int64) -> ReadOutcome {
            let isOverwritten = indices.contains { wholeSince[$0] > .min }
            return ReadOutcome(
                of: indices.map { (traces[$0], summaries[$0]) },
                unknown: indices.reduce(0) { $0 + routing.unknown[$1] },
                begin: begin, ignored: isOverwritten ? indices.reduce(0) { $0 + routing.ignored[$1] } : nil,
                coverage: isOverwritten ? coverage(of: indices) : nil)
        }
        var notes = notes
        if window == nil {
            notes += zip(traces, summaries).compactMap { trace, read in
                read.events > 0 ? nil : Self.noteOnEmptyTrace(trace, discarded: Int(clamping: read.discarded))
            }
        }
        if router.processes.contains(where: { $0.pid == 0 }) {
            notes.append(
                "Some records do not identify their process, and are assigned to a single one. Record with this "
                    + "version's provider, or with lttng add-context --userspace --type=vpid --type=vtid.")
        }
        for process in router.processes where !process.schema.isReadable {
            notes.append(
                "\(process) was recorded with schema version \(process.schema), and this queuescope reads version "
                    + "\(SchemaVersion.current.major).x: use the queuescope that belongs to the recorder.")
        }
        let outcomes = zip(router.processes, router.tracesOfProcess).map { process, indices in
            outcome(of: indices.sorted(), begin: process.begin)
        }
        let total = outcome(of: Array(traces.indices), begin: router.processes.map(\.begin).min() ?? 0)
        return Summary(processes: router.processes, outcomes: outcomes, total: total, notes: notes)
    }
}
