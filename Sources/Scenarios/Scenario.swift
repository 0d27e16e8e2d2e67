/// A small program with one known problem, and its repaired version. Detectors are evaluated with scenarios.
///
/// Each scenario has its own file, in the folder of the detector's family. It is plain Dispatch and Foundation code,
/// and is recorded like any other program. The parameters from a ``Variation`` make each seed another variant.
public protocol Scenario: Sendable {
    /// The name in kebab-case, after the function of the program. It never changes.
    static var id: String { get }
    /// The id of the detector that must report the problem.
    static var detector: String { get }
    /// The quantity by which the repaired version must be better.
    static var gain: Gain { get }
    /// The function of the program and its problem, in one sentence.
    static var summary: String { get }
    /// The difference of the repaired version, in one sentence.
    static var repair: String { get }
    /// Findings of other detectors that are correct as well.
    static var tolerated: [Tolerance] { get }
    /// The conditions under which the program does not have its problem, or the recording does not contain it.
    static var exemptions: [Exemption] { get }
    /// How the program with the problem ends.
    static var ending: Ending { get }

    /// Draws the parameters of a variant.
    init(_ variation: inout Variation)

    /// Queue labels of which the finding must name one; empty when the finding is not about a queue.
    var culprits: [String] { get }

    /// Does the work, and returns when it is done.
    ///
    /// Called on the main thread, once in a process. A program that needs the main queue ends the process itself.
    ///
    /// - Parameter repaired: whether to run the repaired version.
    func run(repaired: Bool)
}

extension Scenario {
    public static var tolerated: [Tolerance] { [] }
    public static var exemptions: [Exemption] { [] }
    public static var ending: Ending { .success }
    public var culprits: [String] { [] }
}

/// A correct finding of a detector other than the scenario's detector.
public struct Tolerance: Sendable {
    /// The versions in which the finding may appear.
    public enum Twin: String, Sendable {
        case problem, repaired, both
    }

    /// The id of the detector.
    public let detector: String
    /// The versions in which the detector may report findings.
    public let twin: Twin
    /// The reason why the finding is correct.
    public let reason: String

    /// Creates a tolerance.
    public init(_ detector: String, in twin: Twin = .problem, because reason: String) {
        self.detector = detector
        self.twin = twin
        self.reason = reason
    }

    /// Does the tolerance apply to this version?
    public func covers(repaired: Bool) -> Bool { twin == .both || (twin == .repaired) == repaired }
}

/// How a program ends.
public enum Ending: Sendable, Equatable {
    /// With status 0.
    case success
    /// The program detected that it makes no progress, and ended itself with ``Watchdog/status``.
    case gaveUp
    /// libdispatch aborted the program with an illegal instruction.
    case crash
}
