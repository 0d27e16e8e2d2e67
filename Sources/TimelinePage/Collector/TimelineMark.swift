import DispatchModel

/// A point in time that the timeline marks on a queue and a thread: a misuse, or a change of the state of an object.
struct TimelineMark {
    let kind: MarkKind
    let queue: QueueIndex?
    let source: SourceIndex?
    let time: Timestamp
    let thread: ThreadIndex
    let code: CodeIndex
    let activatedAt: Timestamp?
    let activationCode: CodeIndex

    init(_ misuse: Misuse) {
        kind =
            switch misuse.kind {
            case .mutationAfterActivation: .mutationAfterActivation
            case .retargetAfterActivation: .retargetAfterActivation
            case .nonLeafRetarget: .nonLeafRetarget
            case .overResume: .overResume
            case .releaseWhileSuspended: .releaseWhileSuspended
            }
        (queue, source) = Self.entities(of: misuse.object)
        time = misuse.time
        thread = misuse.thread
        code = misuse.code
        activatedAt = misuse.activatedAt
        activationCode = misuse.activationCode
    }

    init(_ change: ObjectChange) {
        kind =
            switch change.kind {
            case .activated: .activated
            case .suspended: .suspended
            case .resumed: .resumed
            case .cancelled: .cancelled
            case .retargeted: .retargeted
            case .disposed: .disposed
            }
        (queue, source) = Self.entities(of: change.object)
        time = change.time
        thread = change.thread
        code = change.code
        activatedAt = nil
        activationCode = .unknown
    }

    static func all(in collector: TimelineCollector) -> [TimelineMark] {
        collector.misuses.map(TimelineMark.init) + collector.changes.map(TimelineMark.init)
    }

    private static func entities(of object: ObservedObject) -> (QueueIndex?, SourceIndex?) {
        switch object {
        case .queue(let queue): (queue, nil)
        case .source(let source): (nil, source)
        case .unknown: (nil, nil)
        }
    }
}
