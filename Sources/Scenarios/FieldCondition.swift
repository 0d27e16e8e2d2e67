/// A difference between a recording in the field and a recording on an idle machine. Detectors must work under each.
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

    /// The difference, in a phrase.
    public var summary: String {
        switch self {
        case .quiet: "an idle machine: the reference for the other conditions"
        case .oneProcessor: "the program may use only one processor"
        case .quota: "the program's control group may use half of the machine's processor time"
        case .saturated: "two threads of another process compete for each processor"
        case .lostOne: "1 % of the packets are missing"
        case .lostTwenty: "20 % of the packets are missing"
        case .middle: "the first half of the recording has been overwritten"
        case .quietHour: "half an hour without events precedes the recording, and another follows it"
        case .manyQueues: "the program has 10,000 other queues"
        case .otherDomain: "labels and numbers are from another domain"
        }
    }

    /// The order of the definitions.
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}

/// A condition under which the recall of a scenario cannot be judged.
public struct Exemption: Sendable {
    /// The condition.
    public let condition: FieldCondition
    /// The reason why the problem cannot be found: a sentence without its full stop.
    public let reason: String

    /// Creates an exemption.
    public init(_ condition: FieldCondition, because reason: String) {
        self.condition = condition
        self.reason = reason
    }
}
