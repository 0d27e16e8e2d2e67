/// Sums the time during which at least one activity runs, and can be read at any time.
///
/// ```
///   activities ├────────┤   ├──┤
///                   ├─────┤
///   counted    ├──────────┤ ├──┤
/// ```
struct BusyClock {
    private var since: Int64 = 0
    private var total: Int64 = 0
    /// When the clock last became idle.
    private(set) var idleSince: Int64 = 0
    private(set) var running: Int32 = 0

    var isBusy: Bool { running > 0 }

    /// The busy time up to `time`, which must not precede the last change.
    @inline(__always)
    func value(at time: Int64) -> Int64 { running > 0 ? total + (time - since) : total }

    @inline(__always)
    mutating func begin(at time: Int64) {
        if running == 0 { since = time }
        running += 1
    }

    /// Sets the state of a clock that measures a single activity.
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
