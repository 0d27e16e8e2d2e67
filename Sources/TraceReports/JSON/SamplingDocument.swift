import DispatchAnalysis
import DispatchModel

/// How the recorder sampled items and tasks, to stay within a budget of processor time. Numbers of items and tasks,
/// sums and percentiles are then estimates.
struct SamplingDocument: Encodable {
    /// The smallest number of items and tasks of which one was recorded; 1 for all.
    let leastOneOf: Int
    /// The largest number of items and tasks of which one was recorded.
    let mostOneOf: Int
    /// Number of items in the trace.
    let recordedItems: Int
    /// The estimated number of items that ran.
    let items: Int
    /// Half of the 95 % confidence interval of items, relative to items.
    let itemsError: Double
    /// Number of tasks in the trace.
    let recordedTasks: Int
    /// The estimated number of tasks.
    let tasks: Int
    /// The budget, as a share of the processor time of the process. Absent for a fixed rate.
    let budget: Fraction?
    /// The measured cost of the recorder, as a share of the processor time of the process. Absent when unknown.
    let cost: Double?

    enum CodingKeys: String, CodingKey {
        case items, tasks, budget, cost
        case leastOneOf = "least_one_of"
        case mostOneOf = "most_one_of"
        case recordedItems = "recorded_items"
        case recordedTasks = "recorded_tasks"
        case itemsError = "items_error"
    }

    init(_ sample: SampleTotals, _ sampling: ItemSampling) {
        (leastOneOf, mostOneOf) = (sampling.strides.lowerBound, sampling.strides.upperBound)
        recordedItems = sample.recorded
        items = sample.items
        itemsError = sample.error.relative.finite
        recordedTasks = sample.recordedTasks
        tasks = sample.tasks
        budget = sampling.budget.map { min(1, Double($0) / 1e6) }
        cost = sampling.cost.map { min(1, Double($0) / 1e6) }
    }
}
