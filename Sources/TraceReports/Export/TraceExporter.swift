import DispatchAnalysis
import DispatchModel

/// Writes a trace in the format of another tool.
///
/// An exporter is one file under `Export/`. It follows the analysis as an observer, keeps bounded state, and writes
/// once the trace has been read and its code has got names.
public protocol TraceExporter: AnyObject, ModelObserver {
    /// Writes everything.
    ///
    /// - Parameters:
    ///   - analysis: the analysis that it followed.
    ///   - sink: takes the next bytes of the file.
    /// - Throws: what `sink` throws.
    func write(_ analysis: Analysis, to sink: ([UInt8]) throws -> Void) throws
}
