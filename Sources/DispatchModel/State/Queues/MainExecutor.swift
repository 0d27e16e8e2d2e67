/// The main queue and the main actor. The jobs of the main actor are items of the main queue, so a task on the main
/// actor also waits for the other items of that queue.
///
/// ```
///   main queue   ├── block ──┤├─ job ──────────┤
///   main actor                  ├── task ──┤
///   occupied     ├───────────┤  ├──────────┤
/// ```
///
/// A job occupies it only while its task runs.
struct MainExecutor {
    /// The main queue; none before its definition.
    var queue = QueueIndex.none
    /// The queue that represents the main actor; none before its definition.
    var actor = QueueIndex.none
    /// Time during which an item of the main queue that is no job, or a task of the main actor, runs.
    var occupied = BusyClock()

    /// Whether an item that holds this exclusion queue occupies the main executor.
    @inline(__always)
    func isOccupied(by kind: ItemKind, holding domain: QueueIndex) -> Bool {
        (domain == queue || domain == actor) && kind != .swiftJob
    }
}
