import DispatchModel

/// Finds the tasks of a process that serve a request: the tasks on which its spans began, and the tasks that they
/// created during these spans.
///
/// Keeps the creator of each task, for ``taskLimit`` tasks. Not thread-safe.
public final class RequestScope: ModelObserver {
    /// Most tasks followed. Tasks that end later are assigned to no request.
    public static let taskLimit = 1_000_000
    private static let spanLimit = 10_000

    private struct Maker {
        let task: UInt64
        let time: Timestamp
    }

    private let request: Signpost?
    private let traceID: String?
    private var makers: [UInt64: Maker] = [:]
    /// The intervals of the request on each task.
    private var intervals: [UInt64: [(begin: Timestamp, end: Timestamp)]] = [:]
    private var spans = 0

    public var followed: ObservationKinds { [.signposts, .tasks] }

    /// - Parameters:
    ///   - request: the interval of the request; nil if it belongs to another process. It counts even beyond the limit.
    ///   - traceID: the id of the trace if the request is a span.
    public init(request: Signpost?, traceID: String?) {
        self.request = request
        self.traceID = traceID
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .signpost(let signpost):
            guard !signpost.isEvent, let task = signpost.task else { return }
            // The request ends after its contents, so the limit does not apply to it.
            if !isRequest(signpost) {
                guard let traceID, let span = signpost.span, span.traceID == traceID,
                    spans < (span.parentID == nil ? 2 : 1) * Self.spanLimit
                else { return }
                spans += 1
            }
            intervals[task, default: []].append((signpost.begin, signpost.end))
        case .task(let task):
            guard let parent = task.parent, makers.count < Self.taskLimit else { return }
            makers[task.number] = Maker(task: parent, time: task.createdAt)
        default: break
        }
    }

    private func isRequest(_ signpost: Signpost) -> Bool {
        signpost.id == request?.id && signpost.begin == request?.begin
    }

    /// The numbers of the tasks.
    public var tasks: Set<UInt64> {
        var known: [UInt64: Bool] = [:]
        func belongs(_ number: UInt64) -> Bool {
            var chain: [UInt64] = []
            var next = number
            var answer = false
            while true {
                if intervals[next] != nil {
                    answer = true
                    break
                }
                if let before = known[next] {
                    answer = before
                    break
                }
                // A task is older than the tasks that it creates, so the loop ends. This assignment ends it for damaged
                // records as well.
                known[next] = false
                chain.append(next)
                guard let maker = makers[next] else { break }
                if let around = intervals[maker.task] {
                    answer = around.contains { $0.begin <= maker.time && maker.time <= $0.end }
                    break
                }
                next = maker.task
            }
            for task in chain { known[task] = answer }
            return answer
        }
        return Set(intervals.keys).union(makers.keys.filter(belongs))
    }
}
