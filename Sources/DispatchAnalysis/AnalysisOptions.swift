import CTFReader
import DispatchModel

/// What a user can change about an analysis.
public struct AnalysisOptions: Sendable {
    /// How the model reads the trace.
    public var model: ModelOptions
    /// The ids of the detectors to run; nil runs all of ``DetectorRegistry/all`` but the lints.
    public var detectors: Set<String>?
    /// Run the lints too.
    public var lints: Bool
    /// The thresholds that differ from their defaults.
    public var thresholds: ThresholdSettings
    /// The part of the trace to analyse; nil for all of it.
    public var window: WindowRequest?

    /// - Parameters:
    ///   - model: how the model reads the trace.
    ///   - detectors: the ids of the detectors to run; nil for all but the lints.
    ///   - lints: run the lints too.
    ///   - thresholds: those that differ from their defaults.
    ///   - window: the part of the trace to analyse; nil for all of it.
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
