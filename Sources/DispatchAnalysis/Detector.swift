import DispatchModel

/// Finds one kind of problem.
///
/// A detector is one file in its family's folder under `Detectors/`, whose documentation comment `queuescope explain`
/// prints. It follows the observations, keeps bounded state, and emits findings at the end; it never prints. It stays
/// silent rather than guess.
public protocol Detector: ModelObserver {
    /// Kebab-case, stable for ever.
    static var id: String { get }
    /// What it finds, in one line.
    static var title: String { get }
    /// Definition, thresholds, why it matters, what it cannot see, picture, advice and source: what `explain` prints.
    static var documentation: String { get }

    /// The kinds of observations that it follows; the others are not handed to it.
    static var follows: ObservationKinds { get }

    /// It reports what may be as it is, and so runs only when it is asked for (`--lint`, or by its id).
    static var isLint: Bool { get }
    /// The ids of detectors whose findings are symptoms of this one's, when they are about the same queue, lock or code
    /// at the same time. Never in a circle.
    static var explains: Set<String> { get }

    /// What a user can change about it, each described in the documentation's section on thresholds.
    static var thresholds: [any ThresholdDeclaration] { get }

    /// Makes a detector that has seen nothing yet.
    ///
    /// - Parameter thresholds: the values of its thresholds.
    init(thresholds: Thresholds)

    /// The findings, after the last observation.
    mutating func findings(in model: DispatchModel) -> [Finding]
}

extension Detector {
    public static var thresholds: [any ThresholdDeclaration] { [] }
    public static var isLint: Bool { false }
    public static var explains: Set<String> { [] }
}
