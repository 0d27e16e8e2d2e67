import DispatchAnalysis
import DispatchModel

/// The signpost intervals with one name.
struct SignpostDocument: Encodable {
    let name: String
    /// Number of intervals that ended.
    let count: Int
    /// Number of intervals that were still open at the end of the trace.
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
