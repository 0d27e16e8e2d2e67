import DispatchModel

/// One element of the report's `critical_paths`.
struct CriticalPathDocument: Encodable {
    /// As many of the last segments are told one by one.
    private static let segmentLimit = 1_000

    struct Step: Encodable {
        let kind: String
        let code: CodeDocument?
        var queue: Int?
        var begin: Int64
        let duration: Int64
        let item: Int64?
        let tid: UInt32?

        enum CodingKeys: String, CodingKey {
            case kind, code, queue, item, tid
            case begin = "begin_ns"
            case duration = "duration_ns"
        }
    }

    struct Total: Encodable {
        let kind: String
        let code: CodeDocument?
        var queue: Int?
        let time: Int64
        let count: Int

        enum CodingKeys: String, CodingKey {
            case kind, code, queue, count
            case time = "time_ns"
        }
    }

    let target: String
    let item: Int64?
    let signpost: String?
    var begin: Int64
    var end: Int64
    var segments: [Step]
    let omittedSegments: Int
    var totals: [Total]

    enum CodingKeys: String, CodingKey {
        case target, item, signpost, segments, totals
        case begin = "begin_ns"
        case end = "end_ns"
        case omittedSegments = "omitted_segments"
    }

    init(_ path: CriticalPath, in model: DispatchModel, symbols: SymbolTable) {
        switch path.target {
        case .wholeRun: (target, item, signpost) = ("run", nil, nil)
        case .slowestItem: (target, item, signpost) = ("item", nil, nil)
        case .item(let number): (target, item, signpost) = ("item", number.rawValue, nil)
        case .signpost(let name): (target, item, signpost) = ("signpost", nil, name)
        }
        func place(_ code: CodeIndex) -> CodeDocument? {
            code == .unknown ? nil : CodeDocument(code, in: model, symbols: symbols)
        }
        begin = path.begin.nanoseconds
        end = path.end.nanoseconds
        segments = path.segments.suffix(Self.segmentLimit).map {
            Step(
                kind: Self.name($0.kind), code: place($0.code), queue: $0.queue?.position, begin: $0.begin.nanoseconds,
                duration: $0.duration.count, item: $0.item?.rawValue, tid: $0.thread.map { model[$0].tid })
        }
        omittedSegments = path.omittedSegments + path.segments.count - segments.count
        totals = path.totals.map {
            Total(
                kind: Self.name($0.kind), code: place($0.code), queue: $0.queue?.position, time: $0.time.count,
                count: $0.count)
        }
    }

    private static func name(_ kind: CriticalPath.Kind) -> String { kind == .notDue ? "not_due" : "\(kind)" }
}
