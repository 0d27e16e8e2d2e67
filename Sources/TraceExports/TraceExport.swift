import DispatchAnalysis
import DispatchModel

/// Writes a trace in the format of another tool.
///
/// An export is a type in `Export/` with its case in ``ExportFormat``. It gets the sink of its output when it is
/// created. It observes the analysis of each process with bounded state, and writes the rest when the trace has been
/// read and its code has names. Use it only on the thread of the analysis.
public protocol TraceExport: AnyObject {
    /// The purpose of the format, as it follows the name in a list: `for flame graphs`.
    static var purpose: String { get }
    /// The paragraphs of the command's manual about the format.
    static var manual: String { get }
    /// Whether the output is not text, so that a terminal cannot show it.
    static var isBinary: Bool { get }
    /// Whether one output has all processes of a trace. Otherwise the user selects a process.
    static var hasAllProcesses: Bool { get }

    /// Sentences for the user about the contents of the complete output.
    var summary: [String] { get }

    /// Creates the observer of a process, which must receive every observation of it.
    ///
    /// - Parameter process: the number of the process, ``TracedProcess/index``; 0 in a trace with one process.
    func observer(of process: Int) -> any ModelObserver & AnyObject

    /// Adds the contents that are complete after the analysis of a process.
    ///
    /// - Parameters:
    ///   - analysis: the analysis of the process, whose code has names already.
    ///   - process: the number of the process.
    /// - Throws: the error of the sink, and ``TemporaryFileError`` when a temporary file cannot be used.
    func finish(_ analysis: Analysis, of process: Int) throws

    /// Writes the remaining bytes.
    ///
    /// - Throws: the first error of the sink, also from earlier calls.
    func end() throws
}

extension TraceExport {
    public static var isBinary: Bool { false }
    public static var hasAllProcesses: Bool { false }
    public var summary: [String] { [] }
    public func end() throws {}
}

extension TraceExport where Self: ModelObserver {
    /// An export of one process observes it itself.
    public func observer(of process: Int) -> any ModelObserver & AnyObject { self }
}

/// The formats of exports.
public enum ExportFormat: String, CaseIterable, Sendable {
    case perfetto, folded, csv, otlp

    /// The type that writes the format.
    public var export: any TraceExport.Type {
        switch self {
        case .perfetto: PerfettoExport.self
        case .folded: FoldedStacks.self
        case .csv: TableExport.self
        case .otlp: OTLPExport.self
        }
    }

    /// The names of the formats with their purposes.
    public static var purposes: String {
        allCases.map { "\($0.rawValue) \($0.export.purpose)" }.joined(separator: ", ")
    }

    /// The names of the formats as alternatives.
    public static var names: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
    }

    /// The manual of all formats.
    public static var manual: String {
        allCases.map { "\($0.rawValue): \($0.export.manual)" }.joined(separator: "\n\n")
    }
}
