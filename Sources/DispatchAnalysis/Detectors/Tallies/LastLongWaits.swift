import DispatchModel

/// The last long wait of each thread. An item that the thread runs may consist mainly of this wait.
///
/// ```
///   item    ├──────── holds its queue ────────┤
///   thread      ░░░░░░ sync, group … ░░░░░░        at least half of the item: the wait is the reason
/// ```
struct LastLongWaits {
    struct Wait {
        let object: BlockedWait.Object
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
    }

    private var waits: [ThreadIndex: Wait] = [:]

    mutating func add(_ wait: Wait, of thread: ThreadIndex) { waits[thread] = wait }

    mutating func add(_ wait: BlockedWait) {
        add(Wait(object: wait.object, code: wait.code, begin: wait.begin, end: wait.end), of: wait.thread)
    }

    /// Returns the last wait if it took at least half of a time span of its thread; nil otherwise.
    func most(of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> Wait? {
        guard let wait = waits[thread], begin <= wait.begin, wait.end <= end,
            (wait.end - wait.begin).count * 2 >= (end - begin).count
        else { return nil }
        return wait
    }
}

extension DispatchModel {
    /// `a group at App/Upload.swift:5`
    func description(of wait: LastLongWaits.Wait) -> String {
        let what =
            switch wait.object {
            case .group: "a group"
            case .semaphore: "a semaphore"
            case .item: "a work item"
            case .queue(let queue): "a sync to \(name(of: queue))"
            case .lock(let lock): name(of: lock)
            }
        return what + place(of: wait.code)
    }
}
