import ReportText

/// The diagnosis of a process as an HTML page, with the sections and the words of the text report.
public struct StuckPage {
    private let diagnosis: ProcessDiagnosis
    private let showsStacks: Bool

    private var snapshot: ProcessSnapshot { diagnosis.snapshot }
    private var names: PartyNames { diagnosis.list.names }

    /// - Parameters:
    ///   - diagnosis: the diagnosis.
    ///   - showsStacks: whether the stack of each thread is added.
    public init(_ diagnosis: ProcessDiagnosis, showsStacks: Bool = false) {
        self.diagnosis = diagnosis
        self.showsStacks = showsStacks
    }

    /// The bytes of the file, UTF-8.
    public func render() -> [UInt8] {
        let parts = [facts, verdict, waits, queues, showsStacks ? stacks : "", notes]
        return StaticPage.render(
            title: "\(DisplayText.escaped(snapshot.process.name)) (pid \(snapshot.process.pid))",
            content: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private func text(_ text: String) -> String { StaticPage.text(text) }

    private func section(_ title: String, hint: String = "", _ content: String) -> String {
        let note = hint.isEmpty ? "" : " <span class=\"hint\">\(text(hint))</span>"
        return "<section class=\"open-waits\"><h2>\(text(title))\(note)</h2>\n\(content)</section>"
    }

    private func list(_ items: [String], _ kind: String = "") -> String {
        let attribute = kind.isEmpty ? "" : " class=\"\(kind)\""
        return "<ul>\n\(items.map { "<li\(attribute)>\($0)</li>\n" }.joined())</ul>\n"
    }

    private func summary(_ content: String) -> String { "<span class=\"summary\">\(text(content))</span>" }

    private var facts: String {
        let rows = diagnosis.facts.map { "<dt>\(text($0.name))</dt><dd>\(text($0.text))</dd>\n" }
        return "<dl class=\"facts\">\n\(rows.joined())</dl>"
    }

    private var verdict: String {
        if diagnosis.verdicts.isEmpty {
            return section("Verdict", "<p>\(text(diagnosis.sentenceWithoutVerdict))</p>\n")
        }
        return section(
            "Verdict",
            list(
                diagnosis.verdicts.map { verdict in
                    let severity = verdict.kind == .deadlock ? "error" : "warning"
                    let label = "<span class=\"badge \(severity)\">\(text(verdict.kind.label))</span>"
                    return label + summary(verdict.text)
                }, "verdict"))
    }

    private var waits: String {
        let rows = diagnosis.rows
        guard !rows.isEmpty else { return "" }
        return section(
            "Still waiting", hint: "\(diagnosis.instant), cycles first",
            list(
                rows.map { row in
                    let cycle = row.waits[0].isInCycle ? " <span class=\"cost\">in a cycle</span>" : ""
                    let waiters = row.waits.map(\.waiterName).joined(separator: ", ")
                    return "<strong>\(text(waiters))</strong>\(cycle)\(summary(row.description + "."))"
                }))
    }

    private var queues: String {
        let queues = diagnosis.busyQueues
        guard !queues.isEmpty else { return "" }
        return section(
            "Queues", hint: "held, suspended, or with items",
            list(
                queues.map { queue in
                    let facts = diagnosis.facts(of: queue, itemLimit: .max).joined(separator: "; ")
                    return "<strong>\(text(names.queue(queue.address)))</strong>\(summary(facts))"
                }))
    }

    private var stacks: String {
        let stacks = snapshot.threads.map { thread in
            let frames = snapshot.names.frames(of: thread.stack).map { "<li>\(text(StackNames.text($0)))</li>\n" }
            let rest = thread.stack.isWhole ? "" : "<li>…</li>\n"
            return "<h3>\(text(names.thread(thread)))</h3>\n<ol class=\"stack\">\n\(frames.joined())\(rest)</ol>\n"
        }
        return section("Stacks", hint: "innermost first", stacks.joined())
    }

    private var notes: String {
        diagnosis.notes.map { "<p class=\"calm\">\(text($0))</p>" }.joined(separator: "\n")
    }
}
