/// Reduces the data of a page until it fits its size limit.
enum TimelineBudget {
    /// The most rounds. Each round removes part of the excess. If data is still too large after this many, the rest is
    /// mandatory.
    private static let mostRounds = 12

    static func data(of side: TimelineSide, title: String, largest: Int) -> [UInt8] {
        let collector = side.collector
        if collector.windows.windows.isEmpty {
            collector.concentrate(
                on: DetailWindows(around: side.analysis.findings, in: side.analysis.trace.duration))
        }
        let document = TimelineDocument(side, title: title)
        var encoded = encode(side, document, largest)
        for _ in 0..<mostRounds where encoded.byteCount > largest {
            let others = encoded.byteCount - encoded.itemBytes
            let excess = encoded.byteCount - largest
            if encoded.markBytes > excess / 2, encoded.markBytes > (others + encoded.itemBytes) / 4 {
                collector.thinMarks()
            }
            if encoded.itemBytes > 0 {
                let room = max(0, Double(largest - others)) / Double(encoded.itemBytes)
                collector.thinItems(to: min(0.98, max(0.1, room * 0.97)))
            }
            encoded = encode(side, document, largest)
        }
        return encoded.bytes()
    }

    private static func encode(
        _ side: TimelineSide, _ document: TimelineDocument, _ largest: Int
    ) -> TimelineFormat.Sections {
        var strings = StringTable()
        strings.insert("")
        for signpost in side.collector.signposts.elements {
            strings.insert(signpost.timelineName)
            strings.insert(signpost.message)
        }
        for entry in side.collector.tasks.kept.elements { strings.insert(entry.task.name) }
        return TimelineFormat.encode(
            document: document.json(of: side, strings: strings), collector: side.collector, strings: strings,
            path: side.analysis.criticalPath, largest: max(0, largest))
    }
}
