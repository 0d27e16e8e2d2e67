import DispatchModel

/// What a user can change about an analysis.
public struct AnalysisOptions: Sendable {
    /// How the model reads the trace.
    public var model: ModelOptions
    /// The ids of the detectors to run; nil runs all of ``DetectorRegistry/all``.
    public var detectors: Set<String>?

    /// - Parameters:
    ///   - model: how the model reads the trace.
    ///   - detectors: the ids of the detectors to run; nil for all.
    public init(model: ModelOptions = ModelOptions(), detectors: Set<String>? = nil) {
        self.model = model
        self.detectors = detectors
    }
}
