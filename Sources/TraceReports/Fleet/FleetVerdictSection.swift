import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The verdict over all processes in a few lines: the worst finding, its process, the outliers, and the first advice.
struct FleetVerdictSection {
    let fleet: FleetAnalysis

    private static let outlierLimit = 5
    private static let waitLimit = 3

    func draw(on page: inout TextPage) {
        page.addSection("VERDICT")
        let waits = waits
        let outliers = fleet.comparisons.flatMap { comparison in
            comparison.outliers.map { (comparison, $0) }
        }
        if let position = fleet.findings.worst, let first = fleet.findings[position].members.first {
            let isError = fleet.findings.contains { $0.severity == .error }
            page.addParagraph(count(), isError ? .error : .warning, indent: 1)
            let sentences = fleet.findings.map { FleetFindingsSection.sentence($0, in: fleet) }
            // A finding with a lower severity may have a higher cost.
            let costsMost = position == 0 && fleet.findings[position].cost > .zero
            page.addFact(costsMost ? "costs most" : "worst", sentences[position])
            for (other, error) in fleet.findings.enumerated() where other != position && error.severity == .error {
                page.addFact("error", sentences[other])
            }
            addOutliers(outliers, to: &page)
            let advice = VerdictSection.firstSentence(DisplayText.escaped(first.finding.advice.text))
            page.addFact("do first", advice, .strong)
        } else {
            if waits.isEmpty {
                page.add(" No problem found.", .good)
            } else {
                page.add(" No detector found a problem.")
            }
            addOutliers(outliers, to: &page)
        }
        for (process, wait) in waits.prefix(Self.waitLimit) {
            let model = fleet.processes[process].model
            let text = OpenWaitText(model: model, symbols: SymbolTable(images: model.images))
            page.addFact("waiting", "\(fleet.name(of: process)): \(text.sentence(wait))", .warning)
        }
        let rest = waits.count - Self.waitLimit
        if rest > 0 {
            page.addFact(
                "", "and \(CompactNumber.counted(rest, "more process", plural: "more processes")) that waited.")
        }
    }

    /// The waits at the end of each process that its verdict mentions, the longest first.
    private var waits: [(process: Int, wait: OpenWait)] {
        fleet.processes.indices.compactMap { process in
            fleet.processes[process].stillWaiting.headline.map { (process, $0) }
        }.sorted { $0.wait.duration > $1.wait.duration }
    }

    private func count() -> String {
        let all = fleet.processes.reduce(0) { $0 + $1.findings.count }
        let affected = fleet.processes.count { !$0.findings.isEmpty }
        return CompactNumber.counted(all, "finding") + " in \(affected) of "
            + CompactNumber.counted(fleet.processes.count, "process", plural: "processes") + "."
    }

    private func addOutliers(_ outliers: [(QueueComparison, FleetOutlier)], to page: inout TextPage) {
        for (comparison, outlier) in outliers.prefix(Self.outlierLimit) {
            page.addFact("outlier", Self.sentence(outlier, of: comparison, in: fleet), .warning)
        }
        let rest = outliers.count - Self.outlierLimit
        if rest > 0 { page.addFact("", "and \(CompactNumber.counted(rest, "more outlier")), marked ▲ below.") }
    }

    /// An outlier as a sentence: `news.state of news 5 on box-2: wait p99 4.2 ms, 8.1 × the others' 0.5 ms.`
    static func sentence(_ outlier: FleetOutlier, of comparison: QueueComparison, in fleet: FleetAnalysis) -> String {
        func words(_ value: Double) -> String {
            switch outlier.figure {
            case .waitP50, .waitP99, .serviceP50: Nanoseconds(Int64(value)).description
            case .utilisation: CompactNumber.percent(value)
            case .handoffs: "\(CompactNumber.percent(value)) of its items"
            }
        }
        let figure =
            switch outlier.figure {
            case .waitP50: "wait p50"
            case .waitP99: "wait p99"
            case .serviceP50: "run p50"
            case .utilisation: "busy"
            case .handoffs: "hand-offs"
            }
        let ratio = outlier.ratio.map { "\(Self.ratio($0)) × the others' \(words(outlier.typical))" }
        return "\(DisplayText.escaped(comparison.label)) of \(fleet.name(of: outlier.process)): \(figure) "
            + "\(words(outlier.value)), \(ratio ?? "the others have none")."
    }

    private static func ratio(_ value: Double) -> String {
        value < 9.95
            ? CompactNumber.decimal(Int64((value * 10).rounded(.down)), places: 1)
            : CompactNumber.grouped(Int(min(value, 1e9)))
    }
}
