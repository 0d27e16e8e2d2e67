import DispatchAnalysis
import DispatchModel

/// The intervals of one name.
struct SignpostDocument: Encodable {
    let name: String
    /// Intervals that ended.
    let count: Int
    /// Intervals that the trace's end cut off.
    let open: Int
    let duration: LatencyDocument

    enum CodingKeys: String, CodingKey {
        case name, count, open
        case duration = "duration_ns"
    }

    init(_ story: SignpostStory) {
        name = story.name
        count = story.count
        open = story.open
        duration = LatencyDocument(story.percentiles)
    }
}
