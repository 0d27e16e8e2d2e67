import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The steps of a critical path in order of time. The shorter steps of a long path are summed.
struct PathStepsSection {
    let path: CriticalPath
    let model: DispatchModel
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        guard path.duration > .zero else { return }
        page.addSection("STEP BY STEP", note: "the chain of causes in order of time")
        var table = TextTable(
            firstTitle: "step",
            columns: [
                .init(title: "begin", width: 12), .init(title: "time", width: 6), .init(title: "share", width: 5),
                .init(title: "on", width: 40, alignsRight: false, dropRank: 0),
            ])
        if path.omittedSegments > 0 {
            let told = path.segments.reduce(Nanoseconds.zero) { $0 + $1.duration }
            add(path.omittedSegments, path.duration - told, at: path.begin, to: &table)
        }
        let limit = detail.limit(Self.standardLimit)
        let shown = Set(
            path.segments.indices.sorted { (path.segments[$1].duration, $0) < (path.segments[$0].duration, $1) }
                .prefix(limit))
        var short = (count: 0, time: Nanoseconds.zero, begin: path.begin)
        func flush() {
            if short.count > 0 { add(short.count, short.time, at: short.begin, to: &table) }
            short = (0, .zero, path.begin)
        }
        for (position, segment) in path.segments.enumerated() {
            if shown.contains(position) {
                flush()
                add(segment, to: &table)
            } else {
                if short.count == 0 { short.begin = segment.begin }
                short.count += 1
                short.time += segment.duration
            }
        }
        flush()
        table.draw(on: &page)
        page.addNote(
            "The steps follow one another without a gap and sum to \(path.duration)."
                + (path.segments.count > limit ? " --all shows each." : ""))
    }

    private func add(_ count: Int, _ time: Nanoseconds, at begin: Timestamp, to table: inout TextTable) {
        table.rows.append(
            TextTable.Row(
                first: .init("… \(CompactNumber.counted(count, "shorter step"))", .faint),
                cells: [.init(CompactNumber.place(begin), .faint), .init(time, .strong), share(time), ""]))
    }

    private func add(_ segment: CriticalPath.Segment, to table: inout TextTable) {
        let thread = segment.thread.map { ThreadName.of($0, in: model) }
        let queue = segment.queue.map { QueueName.of($0, in: model) }
        let item = segment.item.map { "item \($0.rawValue)" }
        let name = PathStepName.of(
            segment.kind, code: segment.code, place: queue ?? thread ?? "", in: model, symbols: symbols)
        table.rows.append(
            TextTable.Row(
                first: .init(name),
                cells: [
                    .init(CompactNumber.place(segment.begin), .faint), .init(segment.duration, .strong),
                    share(segment.duration),
                    .init([thread, queue, item].compactMap(\.self).joined(separator: " · "), .place),
                ]))
    }

    private func share(_ time: Nanoseconds) -> TextTable.Cell {
        .init(CompactNumber.percent(Double(time.count) / Double(max(1, path.duration.count))))
    }
}
