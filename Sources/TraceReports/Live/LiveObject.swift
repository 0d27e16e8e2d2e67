import DispatchAnalysis
import DispatchModel

/// An object of the program that a live view has a row for.
public struct LiveObject: Sendable {
    /// The kinds of objects.
    public enum Kind: String, Sendable, CaseIterable, Encodable {
        case queue, actor, loop, lock, thread
    }

    /// Identifies an object from one reading to the next. The indices of a model differ between readings.
    public struct ID: Hashable, Sendable {
        let kind: Kind
        /// The serial number of a queue, the id of a lock, or the id of a thread.
        let number: UInt64
    }

    /// The identity.
    public let id: ID
    /// The name, escaped for a terminal.
    public let name: String
    /// Number of items, iterations or acquisitions per second.
    public internal(set) var rate = 0.0
    /// Number of items, tasks or threads that wait for it now.
    public internal(set) var depth = 0
    /// The share of the time in which it ran items. For a lock, the time for which it was held. A concurrent queue is
    /// busy while at least one item runs.
    public internal(set) var busy = 0.0
    /// The waits for it; nil when nothing was recorded.
    public internal(set) var wait: LatencyPercentiles?
    /// The time that it ran at once: of an item, or of an iteration; nil when unknown.
    public internal(set) var run: LatencyPercentiles?
    /// The sum of the waits. For a thread, the time in which it was blocked.
    public internal(set) var lost = Nanoseconds.zero
    /// The thread that holds it or runs its item now, escaped; nil for none. For a thread, the wait that blocks it.
    public internal(set) var owner: String?
    /// The threads, tasks and items that wait for it now, the longest first, escaped.
    public internal(set) var waiters: [String] = []

    /// The kind.
    public var kind: Kind { id.kind }
    /// The serial number of a queue, an actor or a loop; nil for a lock and a thread.
    public var queueNumber: UInt64? {
        switch kind {
        case .queue, .actor, .loop: id.number
        case .lock, .thread: nil
        }
    }
}

/// The figures that the rows of a live view can be sorted by.
enum LiveOrder: String, CaseIterable {
    case lost, rate, depth, busy
    case wait = "wait p99"
    case name

    /// Sorts objects: the largest first, except names.
    func sorted(_ objects: [LiveObject]) -> [LiveObject] {
        objects.sorted { left, right in
            let (first, second) = (value(of: left), value(of: right))
            if first != second { return first > second }
            return (left.name, left.id.number) < (right.name, right.id.number)
        }
    }

    private func value(of object: LiveObject) -> Double {
        switch self {
        case .lost: Double(object.lost.count)
        case .rate: object.rate
        case .depth: Double(object.depth)
        case .busy: object.busy
        case .wait: Double(object.wait?.p99.count ?? 0)
        case .name: 0
        }
    }

    var next: LiveOrder {
        let all = Self.allCases
        return all[(all.firstIndex(of: self)! + 1) % all.count]
    }
}
