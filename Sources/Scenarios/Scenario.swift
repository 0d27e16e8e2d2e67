/// A small program with one known problem, and its repaired twin: what a detector is judged by.
///
/// One file each, in the folder of the detector's family. A scenario is plain Dispatch and Foundation code, recorded as
/// any other program is; the parameters that it draws from a ``Variation`` make every seed another variant of it.
public protocol Scenario: Sendable {
    /// Kebab-case, named after the thing that the program does, stable for ever.
    static var id: String { get }
    /// The id of the detector that must report the problem.
    static var detector: String { get }
    /// What the program does and what is wrong with it, in one sentence.
    static var summary: String { get }
    /// What the twin does instead, in one sentence.
    static var repair: String { get }
    /// Findings of other detectors that are true as well.
    static var tolerated: [Tolerance] { get }
    /// The conditions under which the program does not have its problem, or the recording has no trace of it.
    static var exemptions: [Exemption] { get }
    /// How the program with the problem ends.
    static var ending: Ending { get }

    /// Draws the parameters of a variant.
    init(_ variation: inout Variation)

    /// Labels of queues of which the finding must name one; empty when the finding is about something else.
    var culprits: [String] { get }

    /// Does the work, and returns when it is done.
    ///
    /// Called on the main thread, once in a process. A program whose main queue must run ends the process itself.
    ///
    /// - Parameter repaired: whether to run the twin without the problem.
    func run(repaired: Bool)
}

extension Scenario {
    public static var tolerated: [Tolerance] { [] }
    public static var exemptions: [Exemption] { [] }
    public static var ending: Ending { .success }
    public var culprits: [String] { [] }
}

/// A true finding of another detector than the one that a scenario is for.
public struct Tolerance: Sendable {
    /// The runs in which the finding may appear.
    public enum Twin: String, Sendable {
        case problem, repaired, both
    }

    /// The id of the detector.
    public let detector: String
    /// Where it may report something.
    public let twin: Twin
    /// Why the finding is true.
    public let reason: String

    /// Creates a tolerance.
    public init(_ detector: String, in twin: Twin = .problem, because reason: String) {
        self.detector = detector
        self.twin = twin
        self.reason = reason
    }

    /// Whether it covers this twin.
    public func covers(repaired: Bool) -> Bool { twin == .both || (twin == .repaired) == repaired }
}

/// How a program ends.
public enum Ending: Sendable, Equatable {
    /// With status 0.
    case success
    /// The program noticed that it no longer makes progress, and gave up with ``Watchdog/status``.
    case gaveUp
    /// libdispatch ended it, by an illegal instruction.
    case crash
}
