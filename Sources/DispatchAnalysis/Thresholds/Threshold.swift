/// A limit of a detector that a user can change: `--threshold staircase-contention.steps=6`.
///
/// A detector declares each threshold as a constant and lists it in ``Detector/thresholds``. The documentation of the
/// detector states its meaning and the reason of its default in one line: `- steps = 4: Hand-offs in a row. …`.
public struct Threshold<Value: ThresholdValue>: ThresholdDeclaration {
    public let name: String
    /// The default.
    public let standard: Value
    /// The side of the threshold that is reported.
    public let sense: ThresholdSense

    /// Declares a threshold.
    ///
    /// - Parameters:
    ///   - name: one or more words in kebab-case. It never changes.
    ///   - standard: the default.
    ///   - sense: the side that is reported.
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

/// The side of a threshold that is reported.
public enum ThresholdSense: Sendable {
    /// Values at least as large as the threshold are reported.
    case least
    /// Values at most as large as the threshold are reported.
    case most
}

/// A ``Threshold`` without the type of its value.
public protocol ThresholdDeclaration: Sendable {
    /// Its name within its detector.
    var name: String { get }
    /// Its default, in the syntax of `--threshold`.
    var standardText: String { get }
    /// The syntax of a value, such as `a whole number, such as 6`.
    var expectation: String { get }

    /// The side that is reported.
    var sense: ThresholdSense { get }
    /// Values from the default to a value that every case passes, the strictest first.
    var rungs: [any ThresholdValue] { get }

    /// Parses a value.
    ///
    /// - Parameter text: the text of a user.
    /// - Returns: the value; nil if the text is invalid.
    func value(of text: String) -> (any ThresholdValue)?
}
