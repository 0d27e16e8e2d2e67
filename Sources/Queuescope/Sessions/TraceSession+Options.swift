import CTraceRecorder

extension TraceSession {
    /// The limits of a recording. Later versions may add more.
    public struct Options: Sendable, Hashable {
        /// The treatment of events when the trace has reached its limit.
        public var mode: Mode
        /// The largest size of the trace; nil for no limit, or for 256 MiB in flight mode.
        public var limit: ByteCount?
        /// The largest memory for events that are not yet written. Nil selects the smaller of 64 MiB and a
        /// sixteenth of the memory limit of the cgroup. In flight mode without a `limit`, the size of the recording:
        /// the events stay in memory, and are written for a snapshot and at the end.
        public var memory: ByteCount?
        /// The length of the past that a flight recorder without a `limit` keeps: a snapshot, and the trace at the end,
        /// have no older events. The events stay in memory, also without a size of the `memory`. Nil keeps as much as
        /// the memory has.
        public var window: Duration?
        /// The older traces that the session keeps; nil keeps all.
        public var kept: Retention?
        /// The most processor time of the recorder, as a share of the time of the process; nil for no limit. The
        /// recorder stays within it by sampling: it records one of several items and tasks. It needs the hooks
        /// of the interposer; the traced types alone record all items.
        public var budget: ProcessorShare?

        /// Creates options.
        ///
        /// - Parameters:
        ///   - mode: the treatment of events when the trace has reached its limit.
        ///   - limit: the largest size of the trace.
        ///   - memory: the largest memory for events that are not yet written.
        ///   - window: the length of the past that a flight recorder in memory keeps.
        ///   - kept: the older traces that the session keeps.
        ///   - budget: the most processor time of the recorder.
        public init(
            mode: Mode = .stream, limit: ByteCount? = nil, memory: ByteCount? = nil, window: Duration? = nil,
            kept: Retention? = nil, budget: ProcessorShare? = nil
        ) {
            self.mode = mode
            self.limit = limit
            self.memory = memory
            self.window = window
            self.kept = kept
            self.budget = budget
        }

        var recorderOptions: qs_session_options {
            var options = qs_session_options()
            options.limit = limit?.bytes ?? 0
            options.is_flight = mode == .flight
            options.memory = memory?.bytes ?? 0
            options.window_ns = window.map { UInt64(min(max(0, $0 / .nanoseconds(1)), 9e18)) } ?? 0
            options.budget_ppm = budget?.millionths ?? 0
            switch kept {
            case .traces(let number): options.kept_traces = UInt32(clamping: max(number, 1))
            case .size(let size): options.kept_bytes = max(size.bytes, 1)
            case nil: break
            }
            return options
        }
    }

    /// The treatment of events when the trace has reached its limit.
    public enum Mode: Sendable, Hashable {
        /// New events are discarded and counted.
        case stream
        /// The oldest events are overwritten: a flight recorder.
        case flight
    }
}

extension TraceSession {
    /// The older traces that a new session keeps. The oldest others are removed, unless a process records into them or
    /// a command reads them. Only traces whose names match the `directory` of the new session count.
    public enum Retention: Sendable, Hashable {
        /// The newest traces of this number, including the new one.
        case traces(Int)
        /// The newest traces that together have at most this size, without the new one.
        case size(ByteCount)
    }
}

/// A share of the processor time of this process.
public struct ProcessorShare: Sendable, Hashable {
    let millionths: UInt32

    /// A percentage: `.percent(1)`. Values outside of 0.0001 to 100 become the nearest of these.
    public static func percent(_ percentage: Double) -> ProcessorShare {
        // NaN compares as false, and becomes the smallest share.
        let isValid = percentage >= 0.0001
        return ProcessorShare(millionths: isValid ? UInt32((min(percentage, 100) * 10_000).rounded()) : 1)
    }
}

/// An amount of memory or disk space.
public struct ByteCount: Sendable, Hashable, Comparable {
    /// The amount in bytes.
    public let bytes: UInt64

    /// Creates an amount.
    ///
    /// - Parameter bytes: the number of bytes.
    public init(bytes: UInt64) { self.bytes = bytes }

    /// An amount in KiB (1,024 bytes). More than 2⁶⁴ − 1 bytes become 2⁶⁴ − 1 bytes.
    public static func kibibytes(_ count: UInt64) -> ByteCount { ByteCount(count, of: 1 << 10) }

    /// An amount in MiB (1,024 KiB). More than 2⁶⁴ − 1 bytes become 2⁶⁴ − 1 bytes.
    public static func mebibytes(_ count: UInt64) -> ByteCount { ByteCount(count, of: 1 << 20) }

    /// An amount in GiB (1,024 MiB). More than 2⁶⁴ − 1 bytes become 2⁶⁴ − 1 bytes.
    public static func gibibytes(_ count: UInt64) -> ByteCount { ByteCount(count, of: 1 << 30) }

    private init(_ count: UInt64, of unit: UInt64) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        self.bytes = overflow ? .max : bytes
    }

    /// Whether the first amount is smaller.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
