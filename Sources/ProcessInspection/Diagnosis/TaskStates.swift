/// The tasks of a process with their states.
struct TaskStates {
    enum State: Equatable {
        /// A thread runs the task.
        case running(Int32)
        /// The task waits in a queue for a thread.
        case queued(UInt64)
        case suspended(ConcurrencyRuntime.Task.Awaited)
        case unknown
    }

    struct Entry {
        let task: ConcurrencyRuntime.Task
        let state: State
        /// The functions that wait for each other, innermost first.
        let functions: [UInt64]
    }

    /// In the order of their numbers.
    let entries: [Entry]
    private let places: [UInt64: Int]
    private let childPlaces: [UInt64: [Int]]

    /// The child tasks of a task that have not ended.
    func children(of parent: UInt64) -> [Entry] { (childPlaces[parent] ?? []).map { entries[$0] } }

    /// The task at an address; nil when there is none, or when it has ended.
    subscript(address: UInt64) -> Entry? { places[address].map { entries[$0] } }

    /// - Parameters:
    ///   - addresses: possible addresses of tasks.
    ///   - runtime: reads the tasks.
    ///   - threads: the threads, some of which run tasks.
    ///   - queued: the queue of each job that waits for a thread.
    init(
        at addresses: [UInt64], runtime: ConcurrencyRuntime, threads: [InspectedThread], queued: [UInt64: UInt64]
    ) {
        let tasks = addresses.compactMap(runtime.task).filter { !$0.isComplete }
        let known = Set(tasks.map(\.address))
        var runners: [UInt64: Int32] = [:]
        // The runtime keeps the task in a register that functions keep for their callers.
        for thread in threads {
            for frame in thread.stack.frames {
                for register in RegisterFile.keptByFunctions {
                    guard let value = frame.registers[register], known.contains(value) else { continue }
                    if runners[value] == nil { runners[value] = thread.tid }
                }
            }
        }
        entries = tasks.map { task in
            let state: State
            if let queue = queued[task.address] {
                state = .queued(queue)
            } else if let awaited = task.awaited {
                state = .suspended(awaited)
            } else {
                state = runners[task.address].map { .running($0) } ?? .unknown
            }
            return Entry(task: task, state: state, functions: runtime.functions(of: task))
        }.sorted { ($0.task.number, $0.task.address) < ($1.task.number, $1.task.address) }
        places = Dictionary(zip(entries.map(\.task.address), entries.indices)) { first, _ in first }
        childPlaces = Dictionary(
            grouping: entries.indices.filter { [entries] in entries[$0].task.parent != nil },
            by: { [entries] in entries[$0].task.parent ?? 0 })
    }
}
