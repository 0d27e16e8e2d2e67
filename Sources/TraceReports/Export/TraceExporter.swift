import DispatchAnalysis
import DispatchModel

/// Writes a trace in the format of another tool.
///
/// An exporter is one file in `Export/`. It observes the analysis with bounded state, and writes after the trace has
/// been read and its code has names.
public protocol TraceExporter: AnyObject, ModelObserver {
    /// Writes the whole export.
    ///
    /// - Parameters:
    ///   - analysis: the analysis that the exporter observed.
    ///   - sink: takes the next bytes of the file.
    /// - Throws: the error of `sink`.
    func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws
}
