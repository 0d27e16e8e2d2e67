/// How long a thread was off-CPU, according to its context switches.
public struct ProcessorTimes: Sendable, Equatable {
    /// Time that the thread was runnable while other threads had the processors.
    public var preempted: Nanoseconds = .zero
    /// Time that the thread was blocked.
    public var blocked: Nanoseconds = .zero
    // Every item stores these times, so the counters are 32 bits wide.
    private var switchCount: Int32 = 0
    private var preemptionCount: Int32 = 0

    /// How often the thread lost its processor.
    public var switches: Int { Int(switchCount) }
    /// How often the thread lost its processor while it was runnable.
    public var preemptions: Int { Int(preemptionCount) }

    /// Creates times of zero.
    public init() {}

    /// Adds each field.
    public static func + (left: ProcessorTimes, right: ProcessorTimes) -> ProcessorTimes {
        var sum = ProcessorTimes()
        sum.preempted = left.preempted + right.preempted
        sum.blocked = left.blocked + right.blocked
        sum.switchCount = left.switchCount &+ right.switchCount
        sum.preemptionCount = left.preemptionCount &+ right.preemptionCount
        return sum
    }

    /// The difference between two readings. The first reading can include an off-CPU interval that the second excludes
    /// because its end was lost, so each time is clamped to zero.
    static func - (left: ProcessorTimes, right: ProcessorTimes) -> ProcessorTimes {
        var difference = ProcessorTimes()
        difference.preempted = max(.zero, left.preempted - right.preempted)
        difference.blocked = max(.zero, left.blocked - right.blocked)
        difference.switchCount = left.switchCount &- right.switchCount
        difference.preemptionCount = left.preemptionCount &- right.preemptionCount
        return difference
    }

    /// Counts one loss of the processor.
    mutating func countSwitch(isPreemption: Bool) {
        switchCount &+= 1
        if isPreemption { preemptionCount &+= 1 }
    }
}

/// The source of the context switches of a trace.
public struct ProcessorTrack: Sendable, Equatable {
    /// The mechanism that recorded them; `none` for a trace without context switches.
    public let origin: ProcessorSource
    /// The reason why no better mechanism was used; empty when this is the best one.
    public let detail: String

    /// Creates the description of a source.
    public init(origin: ProcessorSource, detail: String) {
        self.origin = origin
        self.detail = detail
    }
}

/// The kernel's counters of a thread since its start.
public struct ThreadTimes: Sendable, Equatable {
    /// Time on a processor.
    public let onProcessor: Nanoseconds
    /// Time that it was runnable without a processor; nil for a thread that ended during the recording.
    public let runDelay: Nanoseconds?
    /// How often it was scheduled onto a processor.
    public let slices: Int
}

/// Context switches that the recorder skipped, because recording them exceeded its budget of processor time.
public struct SwitchPauses: Sendable, Equatable {
    /// Threads whose switches were skipped for a time.
    public private(set) var threads = 0
    /// Skipped time, summed over these threads.
    public private(set) var time: Nanoseconds = .zero

    /// Adds the skipped time of one thread.
    mutating func add(_ paused: Nanoseconds) {
        threads += 1
        time = time + paused
    }
}
