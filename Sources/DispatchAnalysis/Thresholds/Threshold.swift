/// A limit that decides what a detector reports, and that a user can change: `--threshold staircase-contention.steps=6`.
///
/// A detector declares each as a constant and lists it in ``Detector/thresholds``. What it means and why its default is
/// what it is stands in the detector's documentation, in a line of its own: `- steps = 4: Hand-offs in a row. …`.
public struct Threshold<Value: ThresholdValue>: ThresholdDeclaration {
    public let name: String
    /// What holds unless a user says otherwise.
    public let standard: Value

    /// Declares a threshold.
    ///
    /// - Parameters:
    ///   - name: one word or several in kebab-case, stable for ever.
    ///   - standard: what holds unless a user says otherwise.
    public init(_ name: String, _ standard: Value) {
        self.name = name
        self.standard = standard
    }

    public var standardText: String { standard.thresholdText }
    public var expectation: String { Value.thresholdExpectation }

    public func value(of text: String) -> (any ThresholdValue)? { Value(thresholdText: text) }
}

/// A ``Threshold`` whatever the type of its value.
public protocol ThresholdDeclaration: Sendable {
    /// Its name within its detector.
    var name: String { get }
    /// Its default, as a user would write it.
    var standardText: String { get }
    /// What a value of it looks like, such as `a whole number, such as 6`.
    var expectation: String { get }

    /// The value that a text stands for.
    ///
    /// - Parameter text: what a user wrote.
    /// - Returns: nil when it is no such value.
    func value(of text: String) -> (any ThresholdValue)?
}
