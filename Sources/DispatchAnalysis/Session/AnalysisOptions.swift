import CTFReader
import DispatchModel

/// Options of an analysis.
public struct AnalysisOptions: Sendable {
    /// Options of the model.
    public var model: ModelOptions
    /// The ids of the detectors to run; nil runs all detectors of ``DetectorRegistry/all`` except the lints.
    public var detectors: Set<String>?
    /// Whether the lints run as well.
    public var lints: Bool
    /// The thresholds that differ from their defaults.
    public var thresholds: ThresholdSettings
    /// The part of the trace to analyse; nil for the whole trace.
    public var window: WindowRequest?

    /// - Parameters:
    ///   - model: options of the model.
    ///   - detectors: the ids of the detectors to run; nil for all except the lints.
    ///   - lints: whether the lints run as well.
    ///   - thresholds: the thresholds that differ from their defaults.
    ///   - window: the part of the trace to analyse; nil for the whole trace.
    public init(
        model: ModelOptions = ModelOptions(), detectors: Set<String>? = nil, lints: Bool = false,
        thresholds: ThresholdSettings = ThresholdSettings(), window: WindowRequest? = nil
    ) {
        self.model = model
        self.detectors = detectors
        self.lints = lints
        self.thresholds = thresholds
        self.window = window
    }
}
