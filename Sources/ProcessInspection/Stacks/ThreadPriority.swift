import Glibc

/// The priority of this thread while it has stopped a thread of another process. During that time it must not wait for
/// a processor, so it has the highest priority of ordinary threads, if this user may set it.
struct ThreadPriority {
    private static let kind = __priority_which_t(PRIO_PROCESS.rawValue)
    private static let highest: Int32 = -20

    private let before: Int32

    static func raise() -> ThreadPriority {
        let before = getpriority(kind, 0)
        _ = setpriority(kind, 0, highest)
        return ThreadPriority(before: before)
    }

    func restore() { _ = setpriority(Self.kind, 0, before) }
}
