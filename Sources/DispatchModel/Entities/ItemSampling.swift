import CTFReader

/// The rates at which the recorder sampled items and tasks, to stay within a budget of processor time.
///
/// The recorder samples items of async and asyncAfter, syncs on a free queue, and the tasks of Swift Concurrency with
/// their jobs. It records everything else. The hash of a task's number decides whether it is recorded, so the model
/// repeats the decision. When the rate decreases, some tasks have no further events; when it increases again, they have
/// events again.
public struct ItemSampling: Sendable, Equatable {
    /// A rate, from a time on.
    public struct Rate: Sendable, Equatable {
        /// The time of the change.
        public let begin: Timestamp
        /// One of this number of items was recorded: a power of two.
        public let stride: Int

        fileprivate let shift: UInt8
    }

    /// The rates in order of time. The first one is also the rate of earlier items, which a thread submitted while the
    /// recording started. Empty when the trace has all items.
    public private(set) var rates: [Rate] = []
    /// The budget, in millionths of the processor time of the process; nil for a fixed rate.
    public private(set) var budget: Int?
    /// The recorder's measured cost in millionths of the processor time of the process: of the whole session, or, if
    /// its end is missing, before the last change of the rate. Nil when it was not measured.
    public private(set) var cost: Int?

    /// Whether items are missing from the trace.
    public private(set) var isSampled = false
    /// The first time from which more items and tasks are recorded than before.
    private var increasedAt: Timestamp?
    /// The smallest and the largest number of items of which one was recorded.
    public var strides: ClosedRange<Int> {
        let strides = rates.map(\.stride)
        return (strides.min() ?? 1)...(strides.max() ?? 1)
    }

    /// The largest number of items of which a recorder records one. A larger one in a trace is damage.
    private static let mostStride = 1 << 12

    /// Creates the state of a trace with all items.
    init() {}

    /// Applies a record of the rate.
    mutating func change(_ event: DispatchEvent.SamplingRate, at time: Int64) {
        let stride = min(max(1, Int(event.oneOf)), Self.mostStride)
        if rates.last?.stride != stride {
            if let last = rates.last, stride < last.stride, increasedAt == nil {
                increasedAt = Timestamp(nanoseconds: time)
            }
            let shift = UInt8(Int.bitWidth - 1 - stride.leadingZeroBitCount)
            rates.append(Rate(begin: Timestamp(nanoseconds: time), stride: 1 << Int(shift), shift: shift))
        }
        if stride > 1 { isSampled = true }
        if event.budget > 0 { budget = Int(event.budget) }
        if event.cost > 0 { cost = Int(event.cost) }
    }

    /// The number of items and tasks of which one is recorded now; nil before the first rate.
    var stride: Int? { rates.last?.stride }

    /// Whether the recorder records the task with this number at the current rate. Repeats `qs_task_is_skipped` of
    /// `item_sampling.c`.
    func hasTask(_ number: UInt64) -> Bool {
        guard let stride, stride > 1, number != SwiftTask.first else { return true }
        var hash = number
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return (hash >> 33) & UInt64(stride - 1) == 0
    }

    /// The number of tasks that a task represents in its present step. A task that the current rate leaves out finishes
    /// its run at the former rate.
    func weight(ofTask number: UInt64) -> Int {
        guard isSampled, number != SwiftTask.first else { return 1 }
        let rate = hasTask(number) ? rates.last : rates.dropLast().last
        return rate?.stride ?? 1
    }

    /// The number of tasks that a task represents in the number of all tasks.
    ///
    /// A task that is first seen after an increase of the rate, without its creation, existed before. The tasks that
    /// were recorded then represent it.
    ///
    /// - Parameters:
    ///   - number: the number of the task.
    ///   - time: its creation or its first event.
    ///   - isCreated: whether its creation is recorded.
    func weight(ofTask number: UInt64, from time: Timestamp, isCreated: Bool) -> Int {
        guard isSampled, number != SwiftTask.first else { return 1 }
        let isAfterIncrease = increasedAt.map { $0 <= time } ?? false
        return isAfterIncrease && !isCreated ? 0 : 1 << Int(shift(at: time.nanoseconds))
    }

    /// The binary logarithm of the number of items that an item of this time represents.
    func shift(at time: Int64) -> UInt8 {
        // Most items have the last rate.
        guard let last = rates.last, last.begin.nanoseconds > time else { return rates.last?.shift ?? 0 }
        let next = rates.partitioningIndex { $0.begin.nanoseconds > time }
        return rates[max(0, next - 1)].shift
    }
}
