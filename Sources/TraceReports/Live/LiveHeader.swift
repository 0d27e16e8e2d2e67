import DispatchAnalysis
import DispatchModel
import ReportText

/// The head of a live view: the program and the state of its recording, the verdict, and the workers.
struct LiveHeader {
    let snapshot: LiveSnapshot
    let view: LiveView

    var lines: [TextLine] {
        var lines = [title, verdict]
        if let headline = snapshot.headline { lines.append(TextLine("Waiting: \(headline)", .warning)) }
        if !snapshot.isRecording { lines += ended }
        if let problem = view.problem { lines.append(TextLine(problem, .error)) }
        lines.append(workers)
        return lines
    }

    private var title: TextLine {
        var line = TextLine("queuescope live  ", .strong)
        line.append(snapshot.program, .title)
        let seconds = max(snapshot.window.asSeconds, 1e-9)
        let rate = CompactNumber.count(Int((Double(snapshot.events) / seconds).rounded()))
        var facts = [
            "\(snapshot.isRecording ? "recording" : "recorded") \(snapshot.age)", "last \(snapshot.window)",
            "\(rate) events/s",
        ]
        if snapshot.stride > 1 { facts.append("1 of \(CompactNumber.grouped(snapshot.stride)) items") }
        if snapshot.discarded > 0 { facts.append("\(CompactNumber.grouped(snapshot.discarded)) discarded") }
        line.append(" · " + facts.joined(separator: " · "))
        if view.isPaused { line.append("  PAUSED", .warning) }
        if !snapshot.isRecording { line.append("  ENDED", .warning) }
        return line
    }

    private var verdict: TextLine {
        // The worst finding is the first one of the highest severity.
        let severity = snapshot.findings.map(\.severity).max()
        guard let worst = snapshot.findings.first(where: { $0.severity == severity }) else {
            let color: TextColor = snapshot.headline == nil ? .good : .plain
            return TextLine("No problem found in the last \(snapshot.window).", color)
        }
        var line = TextLine(CompactNumber.counted(snapshot.findings.count, "finding") + ": ", worst.severity.color)
        line.append("\(worst.detector): ", .strong)
        line.append(worst.summary)
        return line
    }

    private var ended: [TextLine] {
        let how = snapshot.ending.map { " \($0)" } ?? ""
        return [
            TextLine("The recording is over\(how). This is the final state of its last \(snapshot.window).", .strong),
            TextLine("Next: queuescope report \(snapshot.path)", .place),
        ]
    }

    private var workers: TextLine {
        var line = TextLine("workers  ", .faint)
        let pools = snapshot.workers.map { "\($0.root) \($0.alive) (\($0.free) free)" }
        line.append(pools.isEmpty ? "none" : pools.joined(separator: ", "))
        return line
    }
}
