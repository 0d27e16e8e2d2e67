import DispatchModel

/// A task awaits the same call several times, one after the other, and each await is long.
///
/// ## Definition
///
/// A *row* is a sequence of awaits of one task: at least 3 continuations or tasks, awaited by the same functions at the
/// same place, each for at least 1 ms. A task counts if the awaiting task created it after the previous await, as in
/// `await Task { … }.value`, because it cannot run during that await. Between the awaits the task awaits only actors
/// and threads, and it runs for less than a fifth of the time. A row that took at least 100 ms is noted: concurrent
/// awaits would take only as long as the longest of them. Two awaits are enough when concurrent ones would save 250 ms
/// or 10 % of the recording. A row ends when the task ends or awaits something else, or when the trace ends while the
/// task runs, which is the case for the main task until the process exits.
///
/// ```
///   task     ├─░░ fetch(1) ░░─░░ fetch(2) ░░─░░ fetch(3) ░░─┤       the sum
///   instead  ├─░░ fetch(1) ░░─┤
///              ░░ fetch(2) ░░                                       the longest
///              ░░ fetch(3) ░░
/// ```
///
/// The cost is the sum of the awaits minus the longest await of each row. The finding is always a note, never a
/// warning: the trace does not show whether an await needs the result of the previous one.
///
/// ## Thresholds
///
/// - awaits = 3: Awaits of one row. Two awaits often depend on each other. The number does not apply to a row that
///   loses at least 250 ms or 10 % of the recording.
/// - length = 1ms: The shortest await. A shorter await gains little from concurrency.
/// - row = 100ms: The shortest row. A user notices a delay of more than a tenth of a second.
///
/// ## Why it matters
///
/// The task does nothing while it waits. The server or the disk that it waits for could handle all requests at once.
///
/// ## What it cannot see
///
/// Whether the awaits depend on each other. Awaits of different calls, one after the other. Waits for the next element
/// of a sequence, sleeps, and awaits of tasks that existed during the previous await are excluded: these tasks may run
/// concurrently.
///
/// ## Advice
///
/// Start the calls together: `async let` for a few calls, a task group for any number.
///
/// ## Source
///
/// SE-0317: `async let` is for independent results that are awaited together.
public struct SerialAwaits: Detector {
    public static let id = "serial-awaits"
    public static let title = "A task awaits the same call several times, one after the other"
    public static let follows: ObservationKinds = [.taskWaits, .tasks]
    public static let focus = FindingFocus(.tasks)

    private static let awaits = Threshold("awaits", 3)
    private static let length = Threshold("length", Nanoseconds.milliseconds(1))
    private static let row = Threshold("row", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [awaits, length, row]

    private let minimumAwaits: Int
    private let length: Nanoseconds
    private let minimumRow: Nanoseconds
    private var rows = OpenRows()
    private var places: [StackIndex: AwaitRows] = [:]
    /// Most places followed. Real programs await in fewer places.
    private static let placeLimit = 4096

    public init(thresholds: Thresholds) {
        minimumAwaits = max(2, thresholds[Self.awaits])
        length = thresholds[Self.length]
        minimumRow = thresholds[Self.row]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .taskWait(let wait):
            // A wait for an actor or a thread is not an await. `ContinuationNeverResumed` handles an await that has not
            // ended.
            guard wait.kind != .executor, wait.isFinished else { return }
            let time = (wait.resumedAt ?? wait.ended) - wait.began
            let isCall = wait.kind == .continuation || wait.ownTaskCreatedAt != nil
            let isLong = isCall && wait.stack != .none && time >= length
            let ended = rows.take(wait, isLong: isLong)
            if let ended { close(ended) }
        case .task(let task):
            // A task that still awaits at the end of the trace may continue its row.
            guard var row = rows.remove(task.number), !row.mayContinue(in: task.openWait) else { return }
            row.ending = task.endedOn.map { ("task_finish", task.endedAt, $0) }
            close(row)
        default: break
        }
    }

    private mutating func close(_ row: AwaitRow) {
        let length = row.end - row.begin
        guard row.count >= 2, length >= minimumRow, row.suspended.count * 5 >= length.count * 4,
            places[row.stack] != nil || places.count < Self.placeLimit
        else { return }
        if row.count >= minimumAwaits {
            places[row.stack, default: AwaitRows()].add(row)
        } else {
            places[row.stack, default: AwaitRows()].keepShort(row)
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let noted = places.values.map { $0.addingLarge { LargeCase.includes($0, in: model) } }
        return noted.sorted { $0.tally.begin < $1.tally.begin }.compactMap { rows in
            guard let first = rows.first else { return nil }
            let awaitsEvents = first.kind == .continuation && ContinuationNeverResumed.awaitsEvents(first, in: model)
            return awaitsEvents ? nil : Self.finding(rows, in: model)
        }
    }
}

/// Awaits of one task at one place, one after the other.
struct AwaitRow {
    let task: UInt64
    let stack: StackIndex
    let first: TaskWait
    let begin: Timestamp
    private(set) var end: Timestamp
    private(set) var count = 0
    private(set) var waited = Nanoseconds.zero
    /// The awaits plus the waits for a thread or an actor afterwards: the time in which the task did not run.
    private(set) var suspended = Nanoseconds.zero
    private(set) var longest = Nanoseconds.zero
    /// The time that concurrent awaits would save.
    var saving: Nanoseconds { waited - longest }
    /// The event that ended the row.
    fileprivate(set) var ending: (event: String, time: Timestamp, thread: ThreadIndex)?

    fileprivate init(_ wait: TaskWait) {
        task = wait.task
        stack = wait.stack
        first = wait
        begin = wait.began
        end = wait.began
        add(wait)
    }

    fileprivate mutating func add(_ wait: TaskWait) {
        let time = (wait.resumedAt ?? wait.ended) - wait.began
        count += 1
        waited += time
        suspended += wait.duration
        longest = max(longest, time)
        end = max(end, wait.resumedAt ?? wait.ended)
    }

    /// Whether an await of the task is the next one of the row.
    fileprivate func isContinued(by wait: TaskWait) -> Bool {
        wait.stack == stack && wait.ownTaskCreatedAt.map { $0 >= end } ?? true
    }

    /// Whether the open wait of the task at the end of the trace may continue the row.
    fileprivate func mayContinue(in wait: TaskWait?) -> Bool {
        guard let wait else { return false }
        return wait.kind == .executor || isContinued(by: wait)
    }
}

/// The open rows, by task. If two tasks need the same slot, the row of the earlier task is dropped.
struct OpenRows {
    /// A power of two. More tasks are rarely in a row at once.
    private static let capacity = 4096

    private var rows: [AwaitRow?] = []

    private func place(of task: UInt64) -> Int { Int(truncatingIfNeeded: task) & (Self.capacity - 1) }

    /// Adds an await, which continues the row of its task, begins a row, or only ends one.
    ///
    /// - Returns: the row of the task that this await ended, if any.
    mutating func take(_ wait: TaskWait, isLong: Bool) -> AwaitRow? {
        if rows.isEmpty {
            guard isLong else { return nil }
            rows = Array(repeating: nil, count: Self.capacity)
        }
        let place = place(of: wait.task)
        let isKnown = rows[place]?.task == wait.task
        if isKnown, isLong, rows[place]!.isContinued(by: wait) {
            rows[place]!.add(wait)
            return nil
        }
        var ended = isKnown ? rows[place] : nil
        ended?.ending = ("task_suspend", wait.began, wait.beganOn)
        if isLong { rows[place] = AwaitRow(wait) } else if isKnown { rows[place] = nil }
        return ended
    }

    /// Removes and returns the row of a task.
    mutating func remove(_ task: UInt64) -> AwaitRow? {
        guard !rows.isEmpty, rows[place(of: task)]?.task == task else { return nil }
        defer { rows[place(of: task)] = nil }
        return rows[place(of: task)]
    }
}

/// The rows of one place.
struct AwaitRows {
    /// The first await of the first row.
    private(set) var first: TaskWait?
    /// The cost of a row is its saving.
    private(set) var tally = CaseStatistics<AwaitRow>()
    private(set) var awaits = 0
    private(set) var waited = Nanoseconds.zero
    /// Rows with too few awaits. The end of the recording decides whether they are large cases.
    private var short = CostliestCases<AwaitRow>()

    fileprivate mutating func add(_ row: AwaitRow) {
        first = first ?? row.first
        awaits += row.count
        waited += row.waited
        tally.add(row, cost: row.saving, from: row.begin, to: row.end, thread: row.first.beganOn)
    }

    fileprivate mutating func keepShort(_ row: AwaitRow) { short.add(row, cost: row.saving) }

    /// Returns these rows and the rows with too few awaits whose saving is large.
    fileprivate func addingLarge(_ isLarge: (Nanoseconds) -> Bool) -> AwaitRows {
        var rows = self
        for row in short.elements where isLarge(row.saving) { rows.add(row) }
        return rows
    }
}

// MARK: - Texts

extension SerialAwaits {
    private static func finding(_ rows: AwaitRows, in model: DispatchModel) -> Finding {
        let code = rows.first?.awaiter ?? .unknown
        let place = model.place(of: code)
        let worst = rows.tally.costliest.elements[0]
        let others = rows.tally.count == 1 ? "" : ", and \(Figures.plural(rows.tally.count - 1, "more row")) like this"
        return Finding(
            detector: id, severity: .info,
            summary: "A task awaits \(Figures.count(worst.count)) times in a row\(place), \(worst.waited) in total. "
                + "The longest await takes \(worst.longest)\(others).",
            queues: [], begin: rows.tally.begin, end: rows.tally.end, cost: rows.tally.cost,
            occurrences: rows.tally.count,
            measures: [
                .count("rows", rows.tally.count), .count("awaits", rows.awaits),
                .duration("awaited", rows.waited), .duration("concurrent awaits would save up to", rows.tally.cost),
            ],
            evidence: rows.tally.costliest.elements.prefix(6).sorted { $0.begin < $1.begin }.flatMap(evidence),
            code: [code],
            stacks: [("Functions that await, innermost first", worst.stack)],
            advice: Advice(
                .awaitTogether, "If an await does not need the result of the previous one, start the calls ",
                "together\(place), which saves up to \(rows.tally.cost): async let for a few calls, a task group for ",
                "any number."))
    }

    private static func evidence(_ row: AwaitRow) -> [Evidence] {
        let begin = Evidence(
            time: row.begin, thread: row.first.beganOn, task: row.task, event: "task_suspend",
            detail: "Task \(row.task) awaits \(Figures.count(row.count)) times in a row, \(row.waited) in "
                + "\(row.end - row.begin).")
        guard let ending = row.ending else { return [begin] }
        let what = ending.event == "task_finish" ? "ends" : "awaits something else"
        let end = Evidence(
            time: ending.time, thread: ending.thread, task: row.task, event: ending.event,
            detail: "Task \(row.task) \(what): this ends the sequence of awaits.")
        return [begin, end]
    }
}
