import DispatchModel

/// The time that each thread lost in each second and in each minute of the recording. A share of the whole recording
/// would hide one bad second in an hour, and a sum over threads would show many small losses as one large loss.
///
/// ```
///   thread 2   ░░░░████░░░░████      0.5 s lost in this second
///   thread 3   ░███████████████      0.1 s
///             │── one second ──│     the worst: 0.5 s, on thread 2
/// ```
struct WaitWindows {
    /// The second or the minute in which one thread lost most.
    struct Worst {
        let begin: Timestamp
        let thread: ThreadIndex
        let lost: Nanoseconds
    }

    private struct Key: Hashable {
        let second: Int64
        let thread: ThreadIndex
    }

    private static let second = Nanoseconds.seconds(1)
    /// Entries before the first pruning: a few megabytes.
    private static let limit = 65_536

    private var lost: [Key: Nanoseconds] = [:]
    private var nextPruning = limit

    /// Adds a time span that a thread lost.
    mutating func add(_ thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) {
        var begin = begin
        while begin < end {
            let second = (begin - .zero).count / Self.second.count
            let until = min(end, Timestamp(nanoseconds: (second + 1) * Self.second.count))
            lost[Key(second: second, thread: thread), default: .zero] += until - begin
            begin = until
        }
        if lost.count >= nextPruning { prune() }
    }

    mutating func merge(_ other: Self) {
        for (key, time) in other.lost { lost[key, default: .zero] += time }
    }

    /// Removes entries of less than a thousandth of a second, which no finding reports.
    private mutating func prune() {
        lost = lost.filter { $0.value.count >= Self.second.count / 1000 }
        nextPruning = max(Self.limit, lost.count * 2)
    }

    /// The second and the minute in which one thread lost most; nil if no thread lost time.
    var worst: (second: Worst, minute: Worst)? {
        guard let second = worst(of: lost, length: 1), let minute = worst(of: minutes, length: 60) else { return nil }
        return (second, minute)
    }

    /// The number of seconds, and of minutes, in which a thread lost at least this share.
    func count(from share: Double) -> (seconds: Int, minutes: Int) {
        func windows(_ sums: [Key: Nanoseconds], _ length: Double) -> Int {
            let least = Int64(share * length * Double(Self.second.count))
            return Set(sums.lazy.filter { $0.value.count >= least }.map(\.key.second)).count
        }
        return (windows(lost, 1), windows(minutes, 60))
    }

    private var minutes: [Key: Nanoseconds] {
        var minutes: [Key: Nanoseconds] = [:]
        for (key, time) in lost { minutes[Key(second: key.second / 60, thread: key.thread), default: .zero] += time }
        return minutes
    }

    private func worst(of sums: [Key: Nanoseconds], length: Int64) -> Worst? {
        let most = sums.max {
            ($0.value, $1.key.second, $1.key.thread) < ($1.value, $0.key.second, $0.key.thread)
        }
        return most.map { key, time in
            Worst(
                begin: Timestamp(nanoseconds: key.second * length * Self.second.count), thread: key.thread, lost: time)
        }
    }
}

extension WaitWindows {
    /// The measures of a finding: the worst second and minute, and the number of seconds and minutes that reach the
    /// threshold.
    func measures(share: Double, in model: DispatchModel) -> [Measure] {
        guard let worst else { return [] }
        func value(_ window: Worst) -> Phrase {
            "\(model.name(of: window.thread)) waited \(window.lost), starting at \(window.begin)"
        }
        return [
            Measure("worst second", value(worst.second)), Measure("worst minute", value(worst.minute)),
            periods("periods in which a thread waited \(Figures.percent(share)) or more", from: share),
        ]
    }

    /// The number of seconds and minutes in which a thread lost at least this share, as a measure with a name.
    func periods(_ name: String, from share: Double) -> Measure {
        let count = count(from: share)
        return Measure(name, "\(count.seconds, "second"), \(count.minutes, "minute")")
    }
}
