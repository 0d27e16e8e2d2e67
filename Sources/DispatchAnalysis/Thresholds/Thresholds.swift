/// The values of one detector's thresholds in an analysis: `thresholds[Self.steps]`.
public struct Thresholds: Sendable {
    private let detector: String
    private let settings: ThresholdSettings

    /// - Parameters:
    ///   - detector: the detector that reads them.
    ///   - settings: what a user changed.
    public init(of detector: any Detector.Type, _ settings: ThresholdSettings = ThresholdSettings()) {
        self.detector = detector.id
        self.settings = settings
    }

    /// The value of a threshold: what the user chose, else its default.
    public subscript<Value: ThresholdValue>(threshold: Threshold<Value>) -> Value {
        settings.value(of: threshold, detector: detector) ?? threshold.standard
    }
}
