import DispatchModel

/// Where each queue and source was suspended last, as long as it is.
struct LastSuspensions {
    private var suspensions: [Misuse.Object: (change: ObjectChange, depth: Int)] = [:]

    /// Takes note of suspensions and resumptions.
    mutating func follow(_ change: ObjectChange) {
        switch change.kind {
        case .suspended: suspensions[change.object] = (change, (suspensions[change.object]?.depth ?? 0) + 1)
        case .resumed:
            guard let known = suspensions[change.object] else { return }
            suspensions[change.object] = known.depth > 1 ? (known.change, known.depth - 1) : nil
        case .disposed: suspensions[change.object] = nil
        default: break
        }
    }

    /// The suspension that is in force; nil when the object is not suspended, or was so before the recording.
    func last(of object: Misuse.Object) -> ObjectChange? { suspensions[object]?.change }
}
