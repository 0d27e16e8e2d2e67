import DispatchModel

/// Finds the interval of one request: one that a signpost began on a task.
///
/// Keeps one interval, whatever the trace's length. Not safe to use from two threads at once.
public final class RequestStory: ModelObserver {
    /// Which request.
    public enum Wanted: Sendable, Hashable {
        /// The longest of those whose name or message has this in it.
        case matching(String)
        /// The longest of all.
        case slowest
    }

    private let wanted: Wanted
    /// The interval, once it has been found.
    public private(set) var interval: Signpost?
    /// How many intervals began on a task, and how many of them match.
    public private(set) var candidates = 0
    public private(set) var matches = 0

    public var followed: ObservationKinds { .signposts }

    /// - Parameter wanted: which request.
    public init(_ wanted: Wanted) { self.wanted = wanted }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .signpost(let signpost) = observation, !signpost.isEvent, signpost.task != nil else { return }
        candidates += 1
        if case .matching(let text) = wanted, signpost.name != text, !signpost.message.contains(text) { return }
        matches += 1
        guard let best = interval else { return interval = signpost }
        let isLonger = signpost.end - signpost.begin > best.end - best.begin
        if signpost.isFinished != best.isFinished ? signpost.isFinished : isLonger { interval = signpost }
    }
}
