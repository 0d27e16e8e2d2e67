import DispatchAnalysis
import DispatchModel

/// One element of the report's `signposts`: the intervals whose story was asked for.
struct SignpostDocument: Encodable {
    let name: String
    let count: Int
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
