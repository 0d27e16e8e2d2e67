import CTFReader
import DispatchAnalysis
import ProcessInspection
import ReportText

/// The diagnosis of a recorded process that still runs on this machine and in which something waits.
///
/// The recording has the times of the waits, the memory of the process has their present owners.
struct LiveDiagnosis {
    private let result: Result<ProcessDiagnosis, InspectionError>

    /// Inspects the process of a recording; nil when the process has ended, runs elsewhere, or when nothing waits.
    ///
    /// - Parameter analysis: the analysis of the whole recording.
    init?(of analysis: Analysis) {
        guard !analysis.shownOpenWaits.isEmpty, analysis.trace.processes.count == 1,
            let pid = Int32(exactly: analysis.trace.processes[0].pid),
            let segment = ArenaRecovery.liveSegments(of: analysis.trace.path).first
        else { return nil }
        result = Result { () throws(InspectionError) in try ProcessDiagnosis(of: pid, attachedTo: segment) }
    }

    /// The text below a report.
    func text(_ style: TextStyle) -> String {
        switch result {
        case .success(let diagnosis): return "\n" + StuckText(diagnosis, style: style).render()
        case .failure(let error):
            var page = TextPage(style)
            page.addNote("The process still runs, but it cannot be diagnosed now: \(error.sentence).")
            return "\n" + page.string()
        }
    }
}
