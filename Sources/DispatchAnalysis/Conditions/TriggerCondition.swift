import DispatchModel

/// A condition under which a snapshot of a recording is taken: `queue=com.example.db wait>250ms`.
///
/// | condition | holds when |
/// | --- | --- |
/// | `queue=NAME wait>T` | an item waited for longer than T from its submission, or from its due time, to its begin |
/// | `queue=NAME depth>N` | more than N items wait for the queue |
/// | `actor=NAME wait>T` | a task waited for the actor for longer than T |
/// | `main blocked>T` | an item of the main queue or the main actor ran for longer than T |
/// | `loop blocked>T`, `loop=NAME blocked>T` | an event loop did not poll for longer than T |
/// | `workers>N` | libdispatch has more than N worker threads |
/// | `pool starved>T` | a free queue had no worker for its item for longer than T |
/// | `request>T`, `request=NAME>T` | a span of swift-distributed-tracing took longer than T |
/// | `deadlock` | threads, tasks or queues wait for each other in a cycle |
///
/// An operation that is still open counts with its length so far. NAME may have `*` for any characters.
public struct TriggerCondition: Sendable, Hashable, CustomStringConvertible {
    /// The part of the program that the condition is about.
    public enum Subject: Sendable, Hashable {
        case queueWait(NamePattern)
        case queueDepth(NamePattern)
        case actorWait(NamePattern)
        case mainBlocked
        case loopBlocked(NamePattern)
        case workers
        case poolStarved
        case request(NamePattern)
        case deadlock
    }

    /// The largest value for which the condition does not hold.
    public enum Limit: Sendable, Hashable {
        case time(Nanoseconds)
        case count(Int)
        /// For a condition without a value.
        case none
    }

    /// The part of the program that the condition is about.
    public let subject: Subject
    /// The largest value for which the condition does not hold.
    public let limit: Limit
    /// The condition as the user wrote it, without superfluous spaces.
    public let description: String

    init(_ subject: Subject, _ limit: Limit, description: String) {
        (self.subject, self.limit, self.description) = (subject, limit, description)
    }

    /// The limit of a condition on times; zero for other conditions.
    var time: Nanoseconds { if case .time(let time) = limit { time } else { .zero } }
    /// The limit of a condition on numbers; zero for other conditions.
    var count: Int { if case .count(let count) = limit { count } else { 0 } }
}

/// A name in which `*` matches any characters, or none.
public struct NamePattern: Sendable, Hashable {
    private let parts: [Substring]

    /// Matches every name.
    static let any = NamePattern("*")

    /// - Parameter text: the name.
    public init(_ text: Substring) { parts = text.split(separator: "*", omittingEmptySubsequences: false) }

    /// Whether a whole name matches.
    public func matches(_ name: String) -> Bool {
        guard parts.count > 1 else { return name == parts[0] }
        guard name.hasPrefix(parts[0]) else { return false }
        var rest = name.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}

/// The reason why a text is no condition: one sentence without a full stop.
public struct TriggerConditionError: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    public let description: String
}
