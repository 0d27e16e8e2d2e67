import DispatchAnalysis
import DispatchModel

/// The whole JSON document.
struct ReportDocument: Encodable {
    let schema = JSONReport.schemaName
    let trace: TraceDocument
    let quality: QualityDocument
    let queues: [QueueDocument]
    let threads: [ThreadDocument]
    let findings: [FindingDocument]

    enum CodingKeys: String, CodingKey { case schema, trace, quality, queues, threads, findings }

    init(_ analysis: Analysis, symbols: SymbolTable) {
        trace = TraceDocument(analysis.trace)
        quality = QualityDocument(analysis.quality)
        queues = analysis.queues.map { QueueDocument($0, in: analysis.model) }
        threads = analysis.threads.map { ThreadDocument($0, in: analysis.model) }
        findings = analysis.findings.map { FindingDocument($0, in: analysis.model, symbols: symbols) }
    }
}
