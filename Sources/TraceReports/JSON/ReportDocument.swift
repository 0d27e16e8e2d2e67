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
    let workers: [WorkersDocument]
    let messages: [MessageDocument]
    let openWaits: [OpenWaitDocument]
    /// Left out when the trace does not say.
    let processorTrack: ProcessorTrackDocument?

    enum CodingKeys: String, CodingKey {
        case schema, trace, quality, queues, threads, findings, workers, messages
        case openWaits = "open_waits"
        case processorTrack = "processor_track"
    }

    init(_ analysis: Analysis, symbols: SymbolTable) {
        trace = TraceDocument(analysis.trace)
        quality = QualityDocument(analysis.quality)
        queues = analysis.queues.map { QueueDocument($0, in: analysis.model) }
        threads = analysis.threads.map { ThreadDocument($0, in: analysis.model) }
        findings = analysis.findings.map { FindingDocument($0, in: analysis.model, symbols: symbols) }
        workers = analysis.model.workers.map { WorkersDocument($0, in: analysis.model) }
        messages = analysis.model.messages.map { MessageDocument($0, in: analysis.model) }
        openWaits = analysis.openWaits.map { OpenWaitDocument($0, in: analysis.model, symbols: symbols) }
        processorTrack = analysis.model.processorTrack.map {
            ProcessorTrackDocument($0, lost: analysis.model.lostSwitches)
        }
    }
}
