/// The values of one detector's thresholds in an analysis: `thresholds[Self.steps]`.
public struct Thresholds: Sendable {
    private let detector: String
    private let settings: ThresholdSettings
    /// What the detectors of one analysis share.
    let shared: SharedFacts

    /// - Parameters:
    ///   - detector: the detector that reads them.
    ///   - settings: what a user changed.
    public init(of detector: any Detector.Type, _ settings: ThresholdSettings = ThresholdSettings()) {
        self.init(of: detector, settings, sharing: SharedFacts())
    }

    init(of detector: any Detector.Type, _ settings: ThresholdSettings, sharing shared: SharedFacts) {
        self.detector = detector.id
        self.settings = settings
        self.shared = shared
    }

    /// The value of a threshold: what the user chose, else its default.
    public subscript<Value: ThresholdValue>(threshold: Threshold<Value>) -> Value {
        settings.value(of: threshold, detector: detector) ?? threshold.standard
    }
}
