import DispatchAnalysis
import DispatchModel

/// Makes the data of a page no larger than it may be.
enum TimelineBudget {
    /// Every round leaves out a part of what is too much, so a few do; more would mean that the rest is not detail.
    private static let mostRounds = 12

    /// The critical path may take this part of the data.
    private static let pathShare = 16

    static func data(
        analysis: Analysis, collector: TimelineCollector, title: String, largest: Int,
        frames: (StackIndex) -> [String]
    ) -> [UInt8] {
        if collector.windows.windows.isEmpty {
            collector.concentrate(
                on: DetailWindows(around: analysis.findings, in: analysis.trace.duration))
        }
        var encoded = encode(analysis, collector, title, largest, frames)
        for _ in 0..<mostRounds where encoded.bytes.count > largest {
            let others = encoded.bytes.count - encoded.itemBytes
            let excess = encoded.bytes.count - largest
            if encoded.markBytes > excess / 2, encoded.markBytes > (others + encoded.itemBytes) / 4 {
                collector.thinMarks()
            }
            if encoded.itemBytes > 0 {
                let room = max(0, Double(largest - others)) / Double(encoded.itemBytes)
                collector.thinItems(to: min(0.98, max(0.1, room * 0.97)))
            }
            encoded = encode(analysis, collector, title, largest, frames)
        }
        return encoded.bytes
    }

    private static func encode(
        _ analysis: Analysis, _ collector: TimelineCollector, _ title: String, _ largest: Int,
        _ frames: (StackIndex) -> [String]
    ) -> TimelineFormat.Encoded {
        var strings = StringTable()
        strings.insert("")
        for signpost in collector.signposts.elements {
            strings.insert(signpost.timelineName)
            strings.insert(signpost.message)
        }
        let document = TimelineDocument(
            analysis, collector: collector, title: title, strings: strings, frames: frames)
        return TimelineFormat.encode(
            document: document.json(), collector: collector, strings: strings, path: analysis.criticalPath,
            largestPath: max(0, largest / pathShare))
    }
}
