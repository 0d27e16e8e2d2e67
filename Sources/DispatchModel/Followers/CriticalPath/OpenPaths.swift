/// The paths to all threads and suspended tasks at the end of a trace, of which the path of the run is one.
///
/// ```
///   thread 1   ├─ a ── async ┄┄┄┄┄┤        waits ├───────────── end
///   thread 2                  start ├─ b ─┤                     end
///   task 3            ├ runs ┤ awaits ├──────────────────────── end
/// ```
///
/// The model knows what led to each wait. The analysis knows which of the open waits determines the end of the run, and
/// adds it as the last segment.
public final class OpenPaths {
    /// A place at which a path ends.
    public enum Place: Sendable, Hashable {
        /// The last activity of a thread.
        case thread(ThreadIndex)
        /// The suspension of a task, by its number.
        case task(UInt64)
    }

    private let tracker: PathTracker
    private let begin: Timestamp

    init(_ tracker: consuming PathTracker, since begin: Timestamp) {
        self.tracker = tracker
        self.begin = begin
    }

    private func node(at place: Place) -> Int32 {
        switch place {
        case .thread(let thread): tracker.openNode(of: thread.position)
        case .task(let number): tracker.openTasks[number] ?? -1
        }
    }

    /// The end of the path to a place; nil when the place recorded nothing.
    public func end(of place: Place) -> Timestamp? {
        let node = node(at: place)
        return node < 0 ? nil : Timestamp(nanoseconds: tracker.nodes.end(of: node))
    }

    /// The thread with the last activity.
    ///
    /// - Parameter isWanted: returns false for threads to leave out.
    /// - Returns: nil if no wanted thread had any activity.
    public func latestThread(where isWanted: (ThreadIndex) -> Bool = { _ in true }) -> ThreadIndex? {
        tracker.latestThread { isWanted(ThreadIndex($0)) }.map { ThreadIndex($0) }
    }

    /// The path of the run that ends at a place.
    ///
    /// - Parameters:
    ///   - place: the thread or the task; nil for a path without a recorded cause.
    ///   - last: the segments after the path, without gaps. The path is cut or extended to the begin of the first one.
    ///   - end: the end of the path when there are no such segments.
    ///   - main: the main thread, which runs since the begin of the trace.
    /// - Returns: the path from the begin of the trace.
    public func path(
        to place: Place?, followedBy last: [CriticalPath.Segment] = [], until end: Timestamp, main: ThreadIndex? = nil
    ) -> CriticalPath {
        let end = max(begin, last.first?.begin ?? end)
        let thread: ThreadIndex? = if case .thread(let thread) = place { thread } else { nil }
        return tracker.path(
            to: place.map(node) ?? -1, for: .wholeRun, from: begin.nanoseconds, to: end.nanoseconds, followedBy: last,
            of: thread, main: main)
    }
}
