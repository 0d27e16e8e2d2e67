/// A limit that decides what a detector reports, and that a user can change: `--threshold
/// staircase-contention.steps=6`.
///
/// A detector declares each as a constant and lists it in ``Detector/thresholds``. What it means and why its default is
/// what it is stands in the detector's documentation, in a line of its own: `- steps = 4: Hand-offs in a row. …`.
public struct Threshold<Value: ThresholdValue>: ThresholdDeclaration {
    public let name: String
    /// What holds unless a user says otherwise.
    public let standard: Value
    /// Whether more or less of it makes a finding.
    public let sense: ThresholdSense

    /// Declares a threshold.
    ///
    /// - Parameters:
    ///   - name: one word or several in kebab-case, stable for ever.
    ///   - standard: what holds unless a user says otherwise.
    ///   - sense: whether it is the least or the most that is reported.
    public init(_ name: String, _ standard: Value, _ sense: ThresholdSense = .least) {
        self.name = name
        self.standard = standard
        self.sense = sense
    }

    public var standardText: String { standard.thresholdText }
    public var expectation: String { standard.thresholdExpectation }

    public func value(of text: String) -> (any ThresholdValue)? {
        Value(thresholdText: text).flatMap { standard.allows($0) ? $0 : nil }
    }

    public var rungs: [any ThresholdValue] {
        let factors =
            switch sense {
            case .least: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.03, 0.01, 0]
            case .most: [1, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 1_000_000]
            }
        var rungs: [Value] = []
        for factor in factors {
            let rung = standard.scaled(by: factor)
            if rungs.last?.thresholdText != rung.thresholdText { rungs.append(rung) }
        }
        return rungs
    }
}

/// What side of a threshold is reported.
public enum ThresholdSense: Sendable {
    /// It is the least that is reported.
    case least
    /// It is the most that is reported.
    case most
}

/// A ``Threshold`` whatever the type of its value.
public protocol ThresholdDeclaration: Sendable {
    /// Its name within its detector.
    var name: String { get }
    /// Its default, as a user would write it.
    var standardText: String { get }
    /// What a value of it looks like, such as `a whole number, such as 6`.
    var expectation: String { get }

    /// Whether it is the least or the most that is reported.
    var sense: ThresholdSense { get }
    /// Values from the default to one that lets everything pass, the strictest first.
    var rungs: [any ThresholdValue] { get }

    /// The value that a text stands for.
    ///
    /// - Parameter text: what a user wrote.
    /// - Returns: nil when it is no such value.
    func value(of text: String) -> (any ThresholdValue)?
}
