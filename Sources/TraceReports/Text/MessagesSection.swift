import DispatchAnalysis
import DispatchModel
import ReportText

/// Messages that libdispatch itself logged about the program, if there are any.
struct MessagesSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 10
    private static let indent = 8

    func draw(on page: inout TextPage) {
        let messages = analysis.model.messages
        guard !messages.isEmpty else { return }
        page.addSection("LIBDISPATCH MESSAGES")
        let shown = messages.prefix(detail.limit(Self.standardLimit))
        for message in shown {
            let label = TextLine(" \(CompactNumber.grouped(message.count)) ×", .warning)
            page.addParagraph(
                DisplayText.escaped(message.text), label: label, indent: max(Self.indent, label.width + 1))
        }
        page.addRest(messages.count - shown.count, "message")
        if analysis.model.omittedMessages > 0 {
            let count = CompactNumber.counted(analysis.model.omittedMessages, "further message")
            page.addNote("\(count) were not kept: there were too many different texts.")
        }
    }
}
