import DispatchModel

/// The last suspension of each queue and source.
struct LastSuspensions {
    private var suspensions: [ObservedObject: (change: ObjectChange, depth: Int)] = [:]
    /// Suspensions that have ended, with their ends.
    private var over: [ObservedObject: (change: ObjectChange, end: Timestamp)] = [:]

    /// Follows suspensions and resumes.
    mutating func follow(_ change: ObjectChange) {
        switch change.kind {
        case .suspended: suspensions[change.object] = (change, (suspensions[change.object]?.depth ?? 0) + 1)
        case .resumed:
            guard let known = suspensions[change.object] else { return }
            suspensions[change.object] = known.depth > 1 ? (known.change, known.depth - 1) : nil
            if known.depth == 1 { over[change.object] = (known.change, change.time) }
        case .disposed:
            suspensions[change.object] = nil
            over[change.object] = nil
        default: break
        }
    }

    /// The current suspension; nil when the object is not suspended, or was suspended before the recording.
    func last(of object: ObservedObject) -> ObjectChange? { suspensions[object]?.change }

    /// The last suspension that was in force at or after a time; nil if none was recorded.
    func latest(of object: ObservedObject, since time: Timestamp) -> ObjectChange? {
        last(of: object) ?? over[object].flatMap { $0.end > time ? $0.change : nil }
    }
}
