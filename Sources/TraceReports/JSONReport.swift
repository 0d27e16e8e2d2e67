import CReportAssets
import DispatchAnalysis

/// A report for programs: one JSON document whose names are stable for ever and whose shape a JSON Schema describes.
///
/// Object keys are sorted, so that two reports compare line by line. Durations and times are whole nanoseconds; times
/// count from the trace's first event record.
public struct JSONReport {
    /// The JSON Schema (draft 2020-12) that every report satisfies.
    public static var schema: String { String(decoding: [UInt8](QS_ASSET_REPORT_SCHEMA), as: UTF8.self) }

    private let document: ReportDocument

    /// - Parameters:
    ///   - analysis: what to report.
    ///   - symbols: what is known about code addresses; without it stacks have images and offsets only.
    ///   - subject: the item or the signpost whose critical path the analysis has; nil for the whole run.
    ///   - all: every queue is a row, however many are of one kind.
    public init(
        _ analysis: Analysis, symbols: SymbolTable? = nil, subject: StoryReport.Subject? = nil, all: Bool = false
    ) {
        document = ReportDocument(
            analysis, symbols: symbols ?? SymbolTable(images: analysis.model.images), subject: subject, all: all)
    }

    /// Reports several processes: every row says its machine and process, and `fleet` compares them.
    ///
    /// Ids of queues and findings are unique in the document; times count from the first event record of any process.
    ///
    /// - Parameters:
    ///   - fleet: what to report.
    ///   - symbols: what is known about code addresses, per process.
    ///   - all: every queue is a row, however many are of one kind.
    public init(_ fleet: FleetAnalysis, symbols: [SymbolTable]? = nil, all: Bool = false) {
        document = ReportDocument(
            fleet, symbols: symbols ?? fleet.processes.map { SymbolTable(images: $0.model.images) }, all: all)
    }

    /// The document, ended by a line feed.
    public func render() throws -> String {
        try JSONDocument.text(of: document)
    }
}
