/// A way in which a recording in the field differs from one on a quiet machine. Detectors must be as good under each.
public enum FieldCondition: String, CaseIterable, Comparable, Sendable {
    case quiet
    case oneProcessor = "one-processor"
    case quota
    case saturated
    case lostOne = "lost-1"
    case lostTwenty = "lost-20"
    case middle
    case quietHour = "quiet-hour"
    case manyQueues = "many-queues"
    case otherDomain = "other-domain"

    /// What is different, in a phrase.
    public var summary: String {
        switch self {
        case .quiet: "a machine with nothing else to do: what the other conditions are compared with"
        case .oneProcessor: "the program may use one processor"
        case .quota: "the program's control group may use half of the machine's processor time"
        case .saturated: "two threads of another process compete for each processor"
        case .lostOne: "1 % of the packets are missing"
        case .lostTwenty: "20 % of the packets are missing"
        case .middle: "the first half of the recording has been overwritten"
        case .quietHour: "half an hour in which nothing happens comes before the recording, and another one after it"
        case .manyQueues: "the program has 10,000 other queues"
        case .otherDomain: "labels and numbers are those of another domain"
        }
    }

    /// In the order of their definition.
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}

/// A condition under which a scenario cannot be judged by recall.
public struct Exemption: Sendable {
    /// The condition.
    public let condition: FieldCondition
    /// Why the problem cannot be found: a sentence without its full stop.
    public let reason: String

    /// Creates an exemption.
    public init(_ condition: FieldCondition, because reason: String) {
        self.condition = condition
        self.reason = reason
    }
}
