import DispatchAnalysis
import DispatchModel
import FoundationEssentials
import Glibc
import ReportText

/// The head of the report: trace, program, time of recording and number of events.
struct HeaderSection {
    let analysis: Analysis

    func draw(on page: inout TextPage) {
        let trace = analysis.trace
        Self.drawFacts(of: trace, on: &page)
        if let missing = MissingEventsText.paragraph(trace.missing, findings: analysis.findings) {
            page.addParagraph(missing, .plain, label: TextLine(" missing", .warning), indent: 11)
        }
        if let sampling = SamplingText.paragraph(of: analysis) {
            page.addParagraph(sampling, .plain, label: TextLine(" sampled", .warning), indent: 11)
        }
        if let track = analysis.model.processorTrack {
            let lost = analysis.model.lostSwitches
            let gap = lost == 0 ? "" : "; \(CompactNumber.grouped(lost)) were too fast to be recorded"
            let paused = analysis.model.switchPauses.threads
            let part = paused == 0 ? "" : ", for \(CompactNumber.grouped(paused)) only part of the time"
            Self.add("switches", Self.words(track) + part + gap, to: &page)
        }
        if let track = analysis.model.taskTrack, track.detail != .full {
            let what = track.detail == .none ? "not recorded" : "recorded without their awaits"
            Self.add("tasks", what + ": " + DisplayText.escaped(track.reason), to: &page)
        }
    }

    /// Draws the facts that are available before the events are read.
    ///
    /// - Parameters:
    ///   - trace: the trace.
    ///   - isCounted: whether the number of events and the duration are available.
    ///   - page: the page to draw on.
    static func drawFacts(of trace: TraceSummary, isCounted: Bool = true, on page: inout TextPage) {
        page.add("Queuescope report", .strong)
        if let reason = trace.snapshotReason { add("reason", DisplayText.escaped(reason.text), to: &page) }
        add("trace", "\(DisplayText.escaped(trace.path)) · \(trace.backend) · schema \(trace.schema)", to: &page)
        let processes = trace.processes.map {
            $0.name.isEmpty ? "process \($0.pid)" : "\(DisplayText.escaped($0.name)) (pid \($0.pid))"
        }
        var program = processes.isEmpty ? "unknown" : processes.joined(separator: ", ")
        if !trace.host.isEmpty { program += " on \(DisplayText.escaped(trace.host))" }
        if trace.processors.count > 0 { program += ", \(CompactNumber.processors(trace.processors))" }
        add("program", program, to: &page)
        guard isCounted else { return }
        var recorded = "\(trace.duration), \(CompactNumber.counted(trace.events, "event"))"
        recorded += trace.discarded == 0 ? "" : ", \(CompactNumber.grouped(trace.discarded)) discarded"
        recorded += trace.isOverwritten ? "; older events were overwritten" : ""
        if trace.beginUnixNanoseconds > 0 { recorded = "\(Self.date(trace.beginUnixNanoseconds)), " + recorded }
        add("recorded", recorded, to: &page)
        if let window = trace.window { add("window", words(window), to: &page) }
        if let ending = trace.ending { add("ended", words(ending), to: &page) }
    }

    /// How the program ended: `with exit status 0`, `by signal 11 (Segmentation fault)`.
    static func words(_ ending: ProgramEnding) -> String {
        switch ending {
        case .exited(let status): "with exit status \(status)"
        case .killed(let signal):
            "by signal \(signal)" + (strsignal(Int32(signal)).map { " (\(String(cString: $0)))" } ?? "")
        }
    }

    /// The part of the trace that was read, in words.
    static func words(_ window: TraceSummary.Window) -> String {
        "\(CompactNumber.place(window.begin)) to \(CompactNumber.place(window.end)) of a trace of \(window.whole); "
            + "all values are for this part"
    }

    /// The source of the context switches, or the reason why there are none.
    private static func words(_ track: ProcessorTrack) -> String {
        let why = track.detail.isEmpty ? "" : ": " + DisplayText.escaped(track.detail)
        return switch track.origin {
        case .perfEvents: "context switches of every thread, from perf events" + why
        case .kernelTrace: "context switches of every thread, from the kernel trace" + why
        case .schedstat: "totals per thread only, from the kernel's schedstat" + why
        default: "none recorded" + why
        }
    }

    private static func add(_ name: String, _ text: String, to page: inout TextPage) {
        page.addParagraph(text, label: TextLine(" " + name, .faint), indent: 11)
    }

    /// A date in UTC, so that the report does not depend on the time zone of the machine: `2026-11-21 09:41:00 UTC`.
    static func date(_ unixNanoseconds: Int64) -> String {
        let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt).year().month().day()
            .time(includingFractionalSeconds: false)
        return Date(timeIntervalSince1970: Double(unixNanoseconds / 1_000_000_000)).formatted(format) + " UTC"
    }
}
