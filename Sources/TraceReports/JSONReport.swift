import DispatchAnalysis
import Foundation

/// A report for programs: one JSON document whose names are stable for ever and whose shape a JSON Schema describes.
///
/// Object keys are sorted, so that two reports compare line by line. Durations and times are whole nanoseconds; times
/// count from the trace's first event record.
public struct JSONReport {
    /// The value of the document's `schema` member.
    public static let schemaName = "queuescope.report/1"

    /// The JSON Schema (draft 2020-12) that every report satisfies, as committed in the sources.
    public static var schema: String { String(decoding: PackageResources.report_schema_json, as: UTF8.self) }

    private let analysis: Analysis
    private let symbols: SymbolTable

    /// - Parameters:
    ///   - analysis: what to report.
    ///   - symbols: what is known about code addresses; without it stacks have images and offsets only.
    public init(_ analysis: Analysis, symbols: SymbolTable? = nil) {
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
    }

    /// The document, ended by a line feed.
    public func render() throws -> String {
        try JSONDocument.text(of: ReportDocument(analysis, symbols: symbols))
    }
}
