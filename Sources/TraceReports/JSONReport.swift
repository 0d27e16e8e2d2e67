import CReportAssets
import DispatchAnalysis
import ReportText
import Symbolication

/// A machine-readable report: one JSON document with stable member names. A JSON Schema describes its structure.
///
/// Object keys are sorted, so that a line diff of two reports is meaningful. Durations and times are whole nanoseconds.
/// Times count from the first event record of the trace.
public struct JSONReport {
    /// The JSON Schema (draft 2020-12) that every report satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_REPORT_SCHEMA), as: UTF8.self) }

    private let document: ReportDocument

    /// - Parameters:
    ///   - analysis: the analysis to report.
    ///   - symbols: names of code addresses; without it, frames have only an image and an offset.
    ///   - subject: the item, task or signpost whose critical path `analysis` has; nil for the whole run.
    ///   - all: one row per queue, without grouping queues of one kind.
    public init(
        _ analysis: Analysis, symbols: SymbolTable? = nil, subject: StoryReport.Subject? = nil, all: Bool = false
    ) {
        document = ReportDocument(
            analysis, symbols: symbols ?? SymbolTable(images: analysis.model.images), subject: subject, all: all)
    }

    /// Reports several processes. Every row has its machine and process, and the member `fleet` compares the processes.
    ///
    /// Ids of queues and findings are unique in the document. Times count from the first event record of any process.
    ///
    /// - Parameters:
    ///   - fleet: the analyses to report.
    ///   - symbols: names of code addresses, one table per process.
    ///   - all: one row per queue, without grouping queues of one kind.
    public init(_ fleet: FleetAnalysis, symbols: [SymbolTable]? = nil, all: Bool = false) {
        document = ReportDocument(
            fleet, symbols: symbols ?? fleet.processes.map { SymbolTable(images: $0.model.images) }, all: all)
    }

    /// Renders the document, with a line feed at its end.
    public func render() throws -> String {
        try JSONDocument.text(of: document)
    }
}
