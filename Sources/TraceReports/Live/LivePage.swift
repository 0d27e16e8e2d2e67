import DispatchAnalysis
import DispatchModel
import ReportText

/// Draws a live view on a screen of a fixed size.
///
/// ```
///   queuescope live  MyService 4711 · recording 12.4 s              program and state
///   1 finding: staircase-contention: …                               verdict
///   workers  default 8 (3 free)
///   object                    rate depth busy p50 p99                the objects that fit
///   waits and findings                                               at the bottom
///   q quit  s sort  / filter …                                       keys
/// ```
struct LivePage {
    let view: LiveView
    let columns: Int
    let rows: Int

    /// Most lines for the open waits and for the findings.
    private static let panelLimit = 4
    /// Number of rows of objects that the panels leave at least.
    private static let leastObjects = 3

    /// Exactly ``rows`` lines of at most ``columns`` columns.
    var lines: [TextLine] {
        var content: [TextLine] = []
        var bottom: [TextLine] = [keys]
        if let snapshot = view.snapshot {
            content = LiveHeader(snapshot: snapshot, view: view).lines
            switch view.page {
            case .help: content += Self.help
            case .detail(let id): content += LiveDetail(id: id, snapshot: snapshot, view: view, columns: columns).lines
            case .list:
                bottom = panels(snapshot, room: rows - content.count - Self.leastObjects - 3) + bottom
                content += LiveTable(view: view, columns: columns, rows: rows - content.count - bottom.count).lines
            }
        } else {
            content = [
                TextLine("queuescope live", .strong), TextLine(view.problem ?? "Waiting for the first event.", .faint),
            ]
        }
        content = Array(content.prefix(max(rows - bottom.count, 0)))
        content += Array(repeating: TextLine(), count: max(rows - content.count - bottom.count, 0))
        return (content + bottom).suffix(rows).map { $0.cut(to: columns) }
    }

    /// Every object, wait and finding, for output that is no terminal.
    var allLines: [TextLine] {
        guard let snapshot = view.snapshot else { return [] }
        let header = LiveHeader(snapshot: snapshot, view: view).lines
        let table = LiveTable(view: view, columns: columns, rows: .max).lines
        return (header + table + panels(snapshot, room: .max, limit: .max)).map { $0.cut(to: columns) }
    }

    private func panels(_ snapshot: LiveSnapshot, room: Int, limit: Int = LivePage.panelLimit) -> [TextLine] {
        var lines: [TextLine] = []
        let waits = snapshot.waits.prefix(min(limit, max(room - 1, 0)))
        if !waits.isEmpty {
            lines.append(TextLine("WAITING NOW  \(snapshot.waits.count)", .title))
            lines += waits.map { TextLine(" " + $0) }
        }
        let findings = view.log.entries.prefix(min(limit, max(room - lines.count - 1, 0)))
        if !findings.isEmpty {
            lines.append(TextLine("FINDINGS  \(view.log.entries.count) since the view began", .title))
            lines += findings.map(line)
        }
        return lines
    }

    private func line(_ entry: LiveFindingLog.Entry) -> TextLine {
        var line = TextLine(" " + DisplayText.padded("\(entry.firstSeen)", to: 8, toRight: true) + " ", .faint)
        line.append(
            entry.found.detector + " ", entry.isPresent ? entry.found.severity.color : .faint)
        line.append(entry.found.summary, entry.isPresent ? .plain : .faint)
        return line
    }

    private var keys: TextLine {
        if view.isTyping { return TextLine("filter: \(DisplayText.escaped(view.filter))▏  ⏎ keep  esc clear", .strong) }
        if view.page == .help { return TextLine("any key: back", .faint) }
        let isDetail = view.page != .list
        return TextLine(
            isDetail
                ? "esc back  ↑↓ next object  space pause  ? help  q quit"
                : "q quit  ↑↓ move  ⏎ open  s sort  tab kind  / filter  space pause  ? help", .faint)
    }

    private static let help: [TextLine] = [
        TextLine(),
        TextLine("rate     items, iterations or acquisitions per second"),
        TextLine("depth    items, tasks or threads that wait now"),
        TextLine("busy     share of the time in which it ran items, or was held"),
        TextLine("p50 p99  time from the submission to the begin, or for the lock"),
        TextLine("run p99  time from the begin to the end of an item"),
        TextLine("lost     sum of the waits; of a thread, the time in which it was blocked"),
        TextLine("now      what runs on it or holds it, and for how long"),
        TextLine(),
        TextLine("↑ ↓ j k  move          PgUp PgDn Home End   move further"),
        TextLine("⏎        open one       esc                  back, or clear the filter"),
        TextLine("s        sort by the next figure            tab   next kind of objects"),
        TextLine("/        filter by name or owner            space pause or continue"),
        TextLine("q        quit                               ?     this page"),
        TextLine(),
        TextLine("All figures are for the last seconds. queuescope report shows the whole recording.", .faint),
    ]
}

extension TextLine {
    /// The line in at most `columns` columns, with every control character escaped.
    func cut(to columns: Int) -> TextLine {
        var line = TextLine()
        for (text, color) in pieces {
            let room = columns - line.width
            guard room > 0 else { break }
            let text = DisplayText.escaped(text)
            line.append(DisplayText.width(text) <= room ? text : DisplayText.ended(text, at: room), color)
        }
        return line
    }
}
