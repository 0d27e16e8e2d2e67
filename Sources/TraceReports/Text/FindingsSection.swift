import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The findings, each with its summary, place, measures, evidence and advice.
struct FindingsSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let textIndent = 5
    private static let valueIndent = 15
    private static let frameLimit = 5
    /// The smallest number of columns for the name of a function next to a long file name.
    private static let shortestFunction = 20

    func draw(on page: inout TextPage) {
        guard !analysis.findings.isEmpty else { return }
        page.addSection("FINDINGS", note: "most important first")
        for (position, finding) in analysis.findings.enumerated() {
            if position > 0, detail != .brief { page.addGap() }
            draw(finding, on: &page)
        }
    }

    private func draw(_ finding: Finding, on page: inout TextPage) {
        drawTitle(finding, on: &page)
        page.addParagraph(DisplayText.escaped(finding.summary), .strong, indent: Self.textIndent)
        drawPlaces(finding, on: &page)
        for symptom in finding.symptoms.prefix(detail.limit(3)) {
            add("also as", DisplayText.escaped("\(symptom.detector): \(symptom.summary)"), .faint, to: &page)
        }
        if let caveat = finding.caveat { add("caveat", DisplayText.escaped(caveat), to: &page) }
        if detail != .brief {
            drawMeasures(finding, on: &page)
            drawEvidence(finding, on: &page)
            drawStacks(finding, on: &page)
            add("advice", DisplayText.escaped(finding.advice.text), .good, to: &page)
        }
    }

    private func drawTitle(_ finding: Finding, on page: inout TextPage) {
        var line = TextLine(" " + DisplayText.padded(finding.id, to: 4), .strong)
        line.append(DisplayText.padded(finding.severity.rawValue, to: 9), finding.severity.color)
        line.append(finding.detector, .title)
        var facts: [String] = []
        if finding.cost > .zero { facts.append("cost \(finding.cost)") }
        if finding.occurrences > 0 {
            facts.append(finding.occurrences == 1 ? "once" : "\(CompactNumber.grouped(finding.occurrences)) times")
        }
        let end = finding.end > finding.begin ? " to \(CompactNumber.place(finding.end))" : ""
        facts.append("at \(CompactNumber.place(finding.begin))" + end)
        let text = facts.joined(separator: " · ")
        guard line.width + 3 + DisplayText.width(text) > page.width else {
            line.append(" · " + text, .faint)
            return page.add(line)
        }
        page.add(line)
        page.addParagraph(text, .faint, indent: Self.textIndent)
    }

    private func drawPlaces(_ finding: Finding, on page: inout TextPage) {
        let limit = detail.limit(4)
        let queues = QueueName.list(finding.queues, in: analysis.model, limit: limit)
        if !queues.isEmpty {
            add(finding.queues.count == 1 ? "queue" : "queues", queues.joined(separator: ", "), .place, to: &page)
        }
        let names = finding.locks.map { DisplayText.escaped(analysis.model[$0].name) }
        let locks = names.count > limit ? names.prefix(limit) + ["and \(names.count - limit) more"] : names
        if !locks.isEmpty { add(locks.count == 1 ? "lock" : "locks", locks.joined(separator: ", "), .place, to: &page) }
        var label = "code"
        for code in finding.code.prefix(limit) {
            add(label, CodeName.of(code, in: analysis.model, symbols: symbols), .place, to: &page)
            label = ""
        }
        if let library = finding.library {
            add("library", DisplayText.escaped(library) + ": not the program's own code", to: &page)
        }
        if finding.code.count > limit { add("", "and \(finding.code.count - limit) more places", .faint, to: &page) }
    }

    /// Draws names and values in two columns, if they fit the page.
    private func drawMeasures(_ finding: Finding, on page: inout TextPage) {
        let measures = finding.measures.map { (DisplayText.escaped($0.name), DisplayText.escaped($0.text)) }
        guard !measures.isEmpty else { return }
        let nameWidth = measures.map { DisplayText.width($0.0) }.max() ?? 0
        let valueWidth = measures.map { DisplayText.width($0.1) }.max() ?? 0
        let cell = nameWidth + 2 + valueWidth
        guard Self.valueIndent + 2 * cell + 4 <= page.width else {
            return drawColumn(measures, nameWidth: nameWidth, on: &page)
        }
        let rows = (measures.count + 1) / 2
        for row in 0..<rows {
            var line = measuresLine(isFirst: row == 0)
            for column in 0..<2 {
                let position = column * rows + row
                guard position < measures.count else { break }
                line.advance(to: Self.valueIndent + column * (cell + 4))
                line.append(DisplayText.padded(measures[position].0, to: nameWidth + 2), .faint)
                line.append(measures[position].1)
            }
            page.add(line)
        }
    }

    /// Draws one measure per line. On a narrow page, a name has at most half of the page, or a line of its own.
    private func drawColumn(_ measures: [(name: String, value: String)], nameWidth: Int, on page: inout TextPage) {
        let indent = Self.valueIndent + min(nameWidth, (page.width - Self.valueIndent) / 2) + 2
        for (row, measure) in measures.enumerated() {
            var line = measuresLine(isFirst: row == 0)
            line.advance(to: Self.valueIndent)
            line.append(measure.name, .faint)
            if line.width + 2 > indent {
                page.add(line)
                line = TextLine()
            }
            page.addParagraph(measure.value, label: line, indent: indent)
        }
    }

    private func measuresLine(isFirst: Bool) -> TextLine {
        var line = TextLine()
        line.advance(to: Self.textIndent)
        line.append(isFirst ? "numbers" : "", .faint)
        return line
    }

    private func drawEvidence(_ finding: Finding, on page: inout TextPage) {
        let shown = finding.evidence.prefix(detail.limit(3))
        let threadWidth = shown.map { DisplayText.width(threadName($0.thread)) }.max() ?? 0
        let eventWidth = shown.map { DisplayText.width($0.event) }.max() ?? 0
        for (position, evidence) in shown.enumerated() {
            var line = TextLine()
            line.advance(to: Self.textIndent)
            line.append(position == 0 ? "proof" : "", .faint)
            line.advance(to: Self.valueIndent)
            line.append(CompactNumber.exactPlace(evidence.time) + "  ", .faint)
            line.append(DisplayText.padded(threadName(evidence.thread), to: threadWidth + 2))
            // On a narrow page, the event and its detail are on the next line.
            if line.width + eventWidth > page.width {
                page.add(line)
                line = TextLine()
                line.advance(to: Self.valueIndent + 2)
            }
            line.append(DisplayText.padded(evidence.event, to: eventWidth + 2), .faint)
            let text = DisplayText.escaped(evidence.detail)
            // A detail that does not fit the line is on the next line.
            if line.width + DisplayText.width(text) > page.width {
                page.add(line)
                line = TextLine()
                line.advance(to: Self.valueIndent + 2)
            }
            page.addParagraph(text, label: line, indent: line.width)
        }
        let rest = finding.evidence.count - shown.count
        if rest > 0 { add("", "and \(rest) more; --all shows them", .faint, to: &page) }
    }

    private func drawStacks(_ finding: Finding, on page: inout TextPage) {
        for (title, stack) in finding.stacks {
            let frames = symbols.frames(of: analysis.model[stack])
            guard !frames.isEmpty else { continue }
            add("stack", DisplayText.escaped(title) + ":", to: &page)
            guard detail != .everything else {
                for frame in frames {
                    page.addParagraph(DisplayText.escaped(frame.description), indent: Self.valueIndent + 2)
                }
                continue
            }
            let excerpt = StackExcerpt(of: frames, limit: Self.frameLimit)
            for frame in excerpt.frames { drawBrief(frame, on: &page) }
            if excerpt.rest > 0 {
                page.addParagraph("and \(excerpt.rest) more", .faint, indent: Self.valueIndent + 2)
            }
        }
    }

    /// Draws a frame on one line, and cuts a name that is too long.
    private func drawBrief(_ frame: StackFrame, on page: inout TextPage) {
        var place = ""
        if frame.symbol != nil, let file = frame.file?.lastPathComponent {
            place = DisplayText.escaped("  \(file)" + (frame.line.map { ":\($0)" } ?? ""))
        } else if frame.symbol != nil {
            place = DisplayText.escaped("  \(frame.imageName)")
        }
        var line = TextLine()
        line.advance(to: Self.valueIndent + 2)
        let name = DisplayText.escaped(frame.symbol.map(SymbolText.brief) ?? frame.description)
        let room = max(Self.shortestFunction, page.width - line.width - DisplayText.width(place))
        line.append(DisplayText.shortened(symbol: name, to: room))
        let placeRoom = page.width - line.width
        line.append(DisplayText.shortened(place, to: placeRoom), .place)
        page.add(line)
    }

    private func threadName(_ thread: ThreadIndex) -> String { ThreadName.of(thread, in: analysis.model) }

    private func add(_ name: String, _ text: String, _ color: TextColor = .plain, to page: inout TextPage) {
        var label = TextLine()
        label.advance(to: Self.textIndent)
        label.append(name, .faint)
        page.addParagraph(text, color, label: label, indent: Self.valueIndent)
    }
}

extension Finding.Severity {
    /// The colour of the severity on a terminal.
    var color: TextColor {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        }
    }
}
