/// The activity of queues or threads over time in bins. The timeline shows it in place of items that it omits.
///
/// ```
///   items      ├──── a ────┤├ b ┤        ├ c ┤
///   bins     │     │     │     │     │     │     │
///   busy       .7    1     .8    0     .4    .3       times the width
/// ```
///
/// There is one series per queue, or per thread. All bins have the same width. When there are too many bins, the width
/// is doubled, so that memory does not depend on the length of the trace or the number of items.
struct ActivityHistogram {
    struct Bin {
        /// Busy time of all intervals, in nanoseconds.
        var busy: Int64 = 0
        var waiting: Int64 = 0
        /// The change, from this bin on, of the number of intervals that cover whole bins.
        fileprivate var busyChange: Int32 = 0
        fileprivate var waitingChange: Int32 = 0
        /// Number of items that began in this bin.
        var items: Int32 = 0
    }

    struct Series {
        /// The number of the first bin.
        fileprivate(set) var first = 0
        fileprivate(set) var bins: [Bin] = []
    }

    /// The most bins of a series.
    static let mostBins = 2_048

    private(set) var width: Int64
    private(set) var series: [Series] = []
    private var binCount = 0
    private let limit: Int

    /// - Parameters:
    ///   - width: the width of the first bins, in nanoseconds.
    ///   - limit: the most bins of all series together. It is exceeded when every series has a single bin.
    init(width: Int64 = 4_096, limit: Int = 1 << 17) {
        self.width = width
        self.limit = limit
    }

    /// Adds an interval in which the queue or thread was busy.
    ///
    /// - Complexity: amortized O(1), independent of the length of the interval.
    mutating func addBusy(_ position: Int, from begin: Int64, to end: Int64) {
        add(position, from: begin, to: end, time: \.busy, change: \.busyChange)
    }

    /// Adds an interval in which an item waited for the queue, or in which the thread waited.
    mutating func addWaiting(_ position: Int, from begin: Int64, to end: Int64) {
        add(position, from: begin, to: end, time: \.waiting, change: \.waitingChange)
    }

    /// Counts an item that began.
    mutating func count(_ position: Int, at time: Int64) {
        let bin = makeRoom(position, from: time, to: time)
        series[position].bins[bin].items += 1
    }

    private mutating func add(
        _ position: Int, from begin: Int64, to end: Int64, time: WritableKeyPath<Bin, Int64>,
        change: WritableKeyPath<Bin, Int32>
    ) {
        guard end > begin else { return }
        let first = makeRoom(position, from: begin, to: end)
        let last = Int(max(0, end) / width) - series[position].first
        guard last > first else {
            series[position].bins[first][keyPath: time] += end - begin
            return
        }
        series[position].bins[first][keyPath: time] += width - max(0, begin) % width
        series[position].bins[last][keyPath: time] += max(0, end) % width
        series[position].bins[first + 1][keyPath: change] += 1
        series[position].bins[last][keyPath: change] -= 1
    }

    /// Adds the bins of an interval.
    ///
    /// - Returns: the index of its first bin in the series.
    private mutating func makeRoom(_ position: Int, from begin: Int64, to end: Int64) -> Int {
        while series.count <= position { series.append(Series()) }
        while true {
            let first = Int(max(0, begin) / width)
            let last = Int(max(0, end) / width)
            guard last < Self.mostBins else {
                widen()
                continue
            }
            var bins = series[position]
            if bins.bins.isEmpty { bins.first = first }
            let missing = max(0, bins.first - first) + max(0, last + 1 - bins.first - bins.bins.count)
            if missing > 0 {
                // With one bin per series, wider bins would not save memory.
                if binCount + missing > limit, last > 0 {
                    widen()
                    continue
                }
                binCount += missing
                if first < bins.first {
                    bins.bins.insert(contentsOf: repeatElement(Bin(), count: bins.first - first), at: 0)
                    bins.first = first
                }
                let end = last + 1 - bins.first
                if end > bins.bins.count {
                    bins.bins.append(contentsOf: repeatElement(Bin(), count: end - bins.bins.count))
                }
                series[position] = bins
            }
            return first - bins.first
        }
    }

    private mutating func widen() {
        settle()
        binCount = 0
        for position in series.indices where !series[position].bins.isEmpty {
            let old = series[position]
            var new = Series(first: old.first / 2, bins: [])
            for (offset, bin) in old.bins.enumerated() {
                if (old.first + offset) / 2 - new.first == new.bins.count { new.bins.append(Bin()) }
                new.bins[new.bins.count - 1].busy += bin.busy
                new.bins[new.bins.count - 1].waiting += bin.waiting
                new.bins[new.bins.count - 1].items += bin.items
            }
            binCount += new.bins.count
            series[position] = new
        }
        width *= 2
    }

    /// Adds the times of intervals that cover whole bins to these bins.
    mutating func settle() {
        for position in series.indices {
            var busy: Int64 = 0
            var waiting: Int64 = 0
            for bin in series[position].bins.indices {
                busy += Int64(series[position].bins[bin].busyChange)
                waiting += Int64(series[position].bins[bin].waitingChange)
                series[position].bins[bin].busyChange = 0
                series[position].bins[bin].waitingChange = 0
                series[position].bins[bin].busy += busy * width
                series[position].bins[bin].waiting += waiting * width
            }
        }
    }

    /// Encodes the section of the timeline data. ``TimelineFormat`` describes the format.
    ///
    /// - Parameter largest: the most bytes. Bins are widened to reach it, as long as a series has more than one bin.
    /// - Returns: the contents of the section.
    func encoded(largest: Int = .max) -> [UInt8] {
        var settled = self
        settled.settle()
        var bytes = settled.encodedAsIs()
        while bytes.count > largest, settled.series.contains(where: { $0.bins.count > 1 }) {
            settled.widen()
            bytes = settled.encodedAsIs()
        }
        return bytes
    }

    private func encodedAsIs() -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(width)
        writer.varint(Int64(series.count { !$0.bins.isEmpty }))
        for (position, one) in series.enumerated() where !one.bins.isEmpty {
            let used = one.bins.indices.filter {
                one.bins[$0].items > 0 || one.bins[$0].busy > 0 || one.bins[$0].waiting > 0
            }
            writer.varint(Int64(position))
            writer.varint(Int64(used.count))
            var before = 0
            for bin in used {
                writer.varint(Int64(one.first + bin - before))
                writer.varint(Int64(one.bins[bin].items))
                writer.varint(share(one.bins[bin].busy))
                writer.varint(share(one.bins[bin].waiting))
                before = one.first + bin
            }
        }
        return writer.bytes
    }

    /// The time in 4096ths of the width; at least 1 for a time above 0.
    private func share(_ time: Int64) -> Int64 { time > 0 ? max(1, (time * 4_096 + width / 2) / width) : 0 }
}
