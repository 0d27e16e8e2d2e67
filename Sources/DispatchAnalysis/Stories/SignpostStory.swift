import DispatchModel

/// Collects the signpost intervals of one name: their number, their durations, and the longest one.
///
/// Not thread-safe.
public final class SignpostStory: ModelObserver {
    /// Most other names kept, for a message that lists them.
    private static let nameLimit = 100

    /// The name of the intervals.
    public let name: String
    /// The longest interval that ended within the trace; nil when there is none.
    public private(set) var longest: Signpost?
    /// Number of intervals that are open at the end of the trace.
    public private(set) var open = 0
    /// Names of other intervals, in alphabetical order.
    public var otherNames: [String] { others.sorted() }

    private var others: Set<String> = []
    private var durations = LatencyRecorder()

    /// Number of intervals that ended within the trace.
    public var count: Int { durations.count }
    /// Their durations.
    public var percentiles: LatencyPercentiles { durations.percentiles }

    public var followed: ObservationKinds { .signposts }

    /// - Parameter name: the name of the intervals.
    public init(name: String) { self.name = name }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .signpost(let signpost) = observation, !signpost.isEvent else { return }
        guard signpost.name == name else {
            if others.count < Self.nameLimit { others.insert(signpost.name) }
            return
        }
        guard signpost.isFinished else {
            open += 1
            return
        }
        durations.record(signpost.end - signpost.begin)
        if longest.map({ signpost.end - signpost.begin > $0.end - $0.begin }) ?? true { longest = signpost }
    }
}
