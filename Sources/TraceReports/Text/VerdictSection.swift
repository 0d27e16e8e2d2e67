import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The verdict in a few lines: the worst finding, its place, and the first advice.
struct VerdictSection {
    let analysis: Analysis
    let symbols: SymbolTable

    func draw(on page: inout TextPage) {
        page.addSection("VERDICT")
        drawCrash(on: &page)
        drawAccount(on: &page)
        drawFindings(on: &page)
        // The account describes its first wait.
        guard let wait = analysis.stillWaiting.headline, wait.waiter != analysis.account?.waits.first?.waiter else {
            return
        }
        let sentence = OpenWaitText(model: analysis.model, symbols: symbols).sentence(wait)
        page.addParagraph("Still waiting at the end: \(sentence)", .warning, indent: 1)
    }

    /// Where the time went, also when nothing is wrong.
    private func drawAccount(on page: inout TextPage) {
        guard let account = analysis.account,
            let sentence = RunAccountText(account: account, model: analysis.model, symbols: symbols).sentence()
        else { return }
        page.addFact("time", sentence, .strong)
    }

    private func drawFindings(on page: inout TextPage) {
        guard let position = analysis.findings.worst else {
            drawClean(on: &page)
            return
        }
        let worst = analysis.findings[position]
        let errors = analysis.findings.filter { $0.severity == .error }
        page.addParagraph(count(), errors.isEmpty ? .warning : .error, indent: 1)
        // A finding with a lower severity or in a library may have a higher cost.
        let costsMost = position == 0 && worst.cost > .zero && analysis.findings.allSatisfy { $0.cost <= worst.cost }
        let label = costsMost ? "costs most" : "worst"
        page.addFact(label, "\(worst.id) \(worst.detector): \(DisplayText.escaped(worst.summary))")
        if worst.isTouchedByLosses, let caveat = worst.caveat {
            page.addFact("but", DisplayText.escaped(caveat), .warning)
        }
        for error in errors where error.id != worst.id {
            page.addFact("error", "\(error.id) \(error.detector): \(DisplayText.escaped(error.summary))")
        }
        if let library = worst.library {
            page.addFact(
                "do first", "Nothing to change in the program: this is in \(DisplayText.escaped(library)).", .strong)
        } else {
            page.addFact("do first", Self.firstSentence(DisplayText.escaped(worst.advice.text)), .strong)
        }
    }

    /// A crash is the first fact of a run, with the last message of the runtime or of libdispatch.
    private func drawCrash(on page: inout TextPage) {
        guard let ending = analysis.trace.ending, ending.isCrash else { return }
        page.addParagraph("The program crashed: it ended \(HeaderSection.words(ending)).", .error, indent: 1)
        // Other messages of libdispatch, such as warnings about deprecated calls, do not explain a crash.
        if let message = analysis.model.messages.last(where: { $0.text.contains("BUG IN ") }) {
            page.addFact("message", DisplayText.escaped(message.text))
        }
    }

    private func drawClean(on page: inout TextPage) {
        let trace = analysis.trace
        if trace.events == 0, trace.window == nil {
            let discarded =
                trace.discarded > 0 ? " (\(CompactNumber.counted(trace.discarded, "event")) discarded)" : ""
            page.addParagraph("Nothing to judge: no event could be read\(discarded).", .warning, indent: 1)
            return
        }
        let isCrash = trace.ending?.isCrash ?? false
        // A wait that did not end is no proof of a problem, and no sign of health.
        if analysis.stillWaiting.headline != nil {
            page.add(" No detector found a problem.")
        } else {
            page.add(isCrash ? " No other problem found." : " No problem found.", isCrash ? .plain : .good)
        }
        if let missing = MissingEventsText.paragraph(trace.missing, findings: []) {
            page.addFact("but", "The trace lacks \(missing).", .warning)
        }
        guard let largest = analysis.largestWait else { return }
        page.addFact("most wait", "\(largest.total) in total, \(words(largest)).")
    }

    /// The subject of the largest wait: `on app.state, mostly own backlog`, `for mutex 0x7f…, in 3 waits`.
    private func words(_ largest: LargestWait) -> String {
        let model = analysis.model
        switch largest.subject {
        case .queue(let position):
            let queue = analysis.queues[position]
            let part = QueueSummary([queue], at: [0]).dominantPart.map { ", mostly \($0.title)" }
            return "on \(QueueName.of(queue.queue, in: model))\(part ?? "")"
        case .lock(let lock):
            let count = CompactNumber.counted(lock.contended, "wait")
            return "for \(WaitObjectName.of(.lock(lock.lock), in: model)), in \(count) of up to \(lock.waitMax)"
        case .calls(let cause, let code):
            let place = code == .unknown ? "" : " at \(CodeName.of(code, in: model, symbols: symbols))"
            return "in \(CompactNumber.counted(largest.count, "\(cause.title) wait"))\(place)"
        case .tasks(let function):
            let name =
                function.code == .unknown ? "" : " of \(CodeName.brief(function.code, in: model, symbols: symbols))"
            let isActor = function.parts.actor >= function.parts.thread
            return "in tasks\(name), mostly for \(isActor ? "an actor" : "a thread")"
        }
    }

    private func count() -> String {
        let parts = Finding.Severity.allCases.reversed().compactMap { severity in
            let count = analysis.findings.count { $0.severity == severity }
            return count == 0
                ? nil : severity == .info ? "\(count) to note" : CompactNumber.counted(count, severity.rawValue)
        }
        return CompactNumber.counted(analysis.findings.count, "finding") + ": " + parts.joined(separator: ", ") + "."
    }

    /// The text up to the first full stop before a space or a line feed.
    static func firstSentence(_ text: String) -> String {
        var previous: Character = " "
        for index in text.indices {
            if previous == ".", text[index] == " " || text[index] == "\n" { return String(text[..<index]) }
            previous = text[index]
        }
        return text
    }
}
