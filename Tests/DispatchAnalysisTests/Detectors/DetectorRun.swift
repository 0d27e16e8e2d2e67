import DispatchAnalysis
import DispatchModel
import TraceBuilder

/// Runs one detector on a trace.
enum DetectorRun {
    /// Returns the findings of the detector, which runs alone.
    static func findings(
        of detector: any Detector.Type, in trace: TraceBuilder, thresholds: [String] = [], discarded: Int = 0,
        processors: UsableProcessors = 2
    ) throws -> [Finding] {
        let settings = try ThresholdSettings(thresholds.map { "\(detector.id).\($0)" })
        return AnalysisSession(options: AnalysisOptions(detectors: [detector.id], thresholds: settings)).analyze(
            events: trace.events, discarded: discarded, processors: processors
        ).findings
    }
}
