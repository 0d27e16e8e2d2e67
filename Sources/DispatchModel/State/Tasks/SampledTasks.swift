/// The sums over all tasks that the tasks of a sampled trace represent, at rates that change (``ItemSampling``).
///
/// ```
///   rate     │ 1 of 1       │ 1 of 8              │ 1 of 2
///   task 5   ├─ runs ───────┤ left out ·········· ├─ runs ───┤     its hash is 0 below 2, not below 8
///   sums       1 · runs                             2 · runs
/// ```
///
/// Memory grows with the number of unfinished tasks that existed at a change of the rate.
struct SampledTasks {
    private struct Account {
        /// The sums of the task at the last change of the rate.
        var counted = TaskSums()
        /// The sums of the tasks that it represents, up to then.
        var sums = TaskSums()
    }

    private var accounts: [UInt64: Account] = [:]

    /// Counts the steps of a task at the present rate. Call before the rate changes.
    mutating func settle(_ task: SwiftTask, weight: Int) {
        let now = TaskSums(of: task)
        var account = accounts[task.number] ?? Account()
        account.sums.add(now, since: account.counted, times: weight)
        account.counted = now
        accounts[task.number] = account
    }

    /// A task that was left out has events again. The time in between counts for no task.
    mutating func resume(_ task: SwiftTask) { accounts[task.number]?.counted = TaskSums(of: task) }

    /// Completes a task that ends.
    mutating func close(_ task: inout SwiftTask, isCreated: Bool, in sampling: borrowing ItemSampling) {
        task.endWeight = sampling.weight(ofTask: task.number)
        settle(task, weight: task.endWeight)
        task.sums = accounts.removeValue(forKey: task.number)?.sums ?? TaskSums()
        task.weight = sampling.weight(ofTask: task.number, from: task.createdAt, isCreated: isCreated)
    }

    /// All tasks restart their counts.
    mutating func forgetCounts() { accounts = [:] }
}
