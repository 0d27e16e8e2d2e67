/// Adds up the time in which at least one of something is going on, readable at any instant.
///
/// ```
///   going on   ├────────┤   ├──┤
///                   ├─────┤
///   counts     ├──────────┤ ├──┤
/// ```
struct BusyClock {
    private var since: Int64 = 0
    private var total: Int64 = 0
    /// When it last became idle.
    private(set) var idleSince: Int64 = 0
    private(set) var running: Int32 = 0

    var isBusy: Bool { running > 0 }

    /// The busy time up to `time`, which is not before the last change.
    @inline(__always)
    func value(at time: Int64) -> Int64 { running > 0 ? total + (time - since) : total }

    @inline(__always)
    mutating func begin(at time: Int64) {
        if running == 0 { since = time }
        running += 1
    }

    /// For a clock of something that either goes on or not.
    @inline(__always)
    mutating func set(_ isBusy: Bool, at time: Int64) {
        if isBusy == self.isBusy { return }
        if isBusy { begin(at: time) } else { end(at: time) }
    }

    @inline(__always)
    mutating func end(at time: Int64) {
        guard running > 0 else { return }
        running -= 1
        if running == 0 {
            total += time - since
            idleSince = time
        }
    }
}
