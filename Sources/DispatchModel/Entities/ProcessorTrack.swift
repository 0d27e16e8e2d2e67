/// How long a thread had no processor, from its context switches.
public struct ProcessorTimes: Sendable, Equatable {
    /// It could have run, and another thread was given the processor.
    public var preempted: Nanoseconds = .zero
    /// It waited for something.
    public var blocked: Nanoseconds = .zero
    // Every item has these times, so they are small.
    private var switchCount: Int32 = 0
    private var preemptionCount: Int32 = 0

    /// How often it lost its processor.
    public var switches: Int { Int(switchCount) }
    /// How often it lost it although it could have run on.
    public var preemptions: Int { Int(preemptionCount) }

    /// Creates the times of a thread that never lost its processor.
    public init() {}

    /// Adds time by time.
    public static func + (left: ProcessorTimes, right: ProcessorTimes) -> ProcessorTimes {
        var sum = ProcessorTimes()
        sum.preempted = left.preempted + right.preempted
        sum.blocked = left.blocked + right.blocked
        sum.switchCount = left.switchCount &+ right.switchCount
        sum.preemptionCount = left.preemptionCount &+ right.preemptionCount
        return sum
    }

    /// What came between two readings. An absence that was part of the first may not count in the second, as its end was
    /// lost; so no time is less than zero.
    static func - (left: ProcessorTimes, right: ProcessorTimes) -> ProcessorTimes {
        var difference = ProcessorTimes()
        difference.preempted = max(.zero, left.preempted - right.preempted)
        difference.blocked = max(.zero, left.blocked - right.blocked)
        difference.switchCount = left.switchCount &- right.switchCount
        difference.preemptionCount = left.preemptionCount &- right.preemptionCount
        return difference
    }

    /// The thread lost its processor.
    mutating func countSwitch(isPreemption: Bool) {
        switchCount &+= 1
        if isPreemption { preemptionCount &+= 1 }
    }
}

/// Where the trace's context switches come from.
public struct ProcessorTrack: Sendable, Equatable {
    /// What recorded them; `none` when nothing did.
    public let origin: ProcessorSource
    /// Why it is not a better source; empty when it is the best.
    public let detail: String

    /// Creates the description of a source.
    public init(origin: ProcessorSource, detail: String) {
        self.origin = origin
        self.detail = detail
    }
}

/// What the kernel has counted for a thread since it started.
public struct ThreadTimes: Sendable, Equatable {
    /// Time on a processor.
    public let onProcessor: Nanoseconds
    /// Time in which it could have run and had no processor; nil for a thread that ended while the recording went on.
    public let runDelay: Nanoseconds?
    /// How often it got a processor.
    public let slices: Int
}

/// How much of the context switches the recorder left out, because recording them cost more than its share of a processor.
public struct SwitchPauses: Sendable, Equatable {
    /// Threads whose switches were left out for a time.
    public private(set) var threads = 0
    /// For how long, summed over these threads.
    public private(set) var time: Nanoseconds = .zero

    /// Counts one thread.
    mutating func add(_ paused: Nanoseconds) {
        threads += 1
        time = time + paused
    }
}
