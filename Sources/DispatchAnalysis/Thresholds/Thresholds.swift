/// The values of one detector's thresholds in an analysis: `thresholds[Self.steps]`.
public struct Thresholds: Sendable {
    private let detector: String
    private let settings: ThresholdSettings
    /// The facts that the detectors of one analysis share.
    let shared: SharedFacts

    /// - Parameters:
    ///   - detector: the detector.
    ///   - settings: the settings of the user.
    public init(of detector: any Detector.Type, _ settings: ThresholdSettings = ThresholdSettings()) {
        self.init(of: detector, settings, sharing: SharedFacts())
    }

    init(of detector: any Detector.Type, _ settings: ThresholdSettings, sharing shared: SharedFacts) {
        self.detector = detector.id
        self.settings = settings
        self.shared = shared
    }

    /// The value of a threshold: the choice of the user, or else the default.
    public subscript<Value: ThresholdValue>(threshold: Threshold<Value>) -> Value {
        settings.value(of: threshold, detector: detector) ?? threshold.standard
    }
}
