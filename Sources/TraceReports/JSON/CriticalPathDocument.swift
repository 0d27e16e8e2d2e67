import DispatchModel
import Symbolication

/// The critical path to the end of the run, of an item or of a signpost interval. Times are exact: the segments and the
/// omitted segments, and also the totals, sum to end_ns - begin_ns.
struct CriticalPathDocument: Encodable {
    /// The most segments that are listed. Earlier segments are omitted.
    private static let segmentLimit = 1_000

    enum Target: String, Encodable { case run, item, signpost }

    struct Step: Encodable {
        let kind: StepKind
        let code: CodeDocument?
        var queue: Int?
        var begin: Timestamp
        let duration: Nanoseconds
        let item: Int?
        let tid: UInt32?

        enum CodingKeys: String, CodingKey {
            case kind, code, queue, item, tid
            case begin = "begin_ns"
            case duration = "duration_ns"
        }
    }

    struct Total: Encodable {
        let kind: StepKind
        let code: CodeDocument?
        var queue: Int?
        let time: Nanoseconds
        let count: Int

        enum CodingKeys: String, CodingKey {
            case kind, code, queue, count
            case time = "time_ns"
        }
    }

    let target: Target
    /// The number of the item. Absent when the target is not an item, or is the slowest item.
    let item: Int?
    /// The name of the interval. Absent when the target is not a signpost.
    let signpost: String?
    var begin: Timestamp
    var end: Timestamp
    /// The part of the time with a recorded cause: all kinds except blocked, before and awaits.
    let explained: Nanoseconds
    /// The last 1,000 segments at most, the earliest first. Each segment begins where the previous one ends.
    var segments: [Step]
    /// Number of earlier segments that are omitted.
    let omittedSegments: Int
    /// Sums by kind, code and queue over the whole path, the longest first.
    var totals: [Total]

    enum CodingKeys: String, CodingKey {
        case target, item, signpost, segments, totals
        case begin = "begin_ns"
        case end = "end_ns"
        case explained = "explained_ns"
        case omittedSegments = "omitted_segments"
    }

    init(_ path: CriticalPath, in model: DispatchModel, symbols: SymbolTable) {
        switch path.target {
        case .wholeRun: (target, item, signpost) = (.run, nil, nil)
        case .slowestItem: (target, item, signpost) = (.item, nil, nil)
        case .item(let number): (target, item, signpost) = (.item, Int(number.rawValue), nil)
        case .signpost(let name): (target, item, signpost) = (.signpost, nil, name)
        }
        begin = path.begin
        end = path.end
        explained = path.explained
        segments = path.segments.suffix(Self.segmentLimit).map {
            Step(
                kind: $0.kind, code: CodeDocument(known: $0.code, in: model, symbols: symbols),
                queue: $0.queue?.position, begin: $0.begin,
                duration: $0.duration, item: $0.item.map { Int($0.rawValue) }, tid: $0.thread.map { model[$0].tid })
        }
        omittedSegments = path.omittedSegments + path.segments.count - segments.count
        totals = path.totals.map {
            Total(
                kind: $0.kind, code: CodeDocument(known: $0.code, in: model, symbols: symbols),
                queue: $0.queue?.position, time: $0.time, count: $0.count)
        }
    }
}
