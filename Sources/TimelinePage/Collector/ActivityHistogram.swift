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
    fileprivate enum Measure { case busy, waiting }

    struct Bin {
        /// Busy time of all intervals, in nanoseconds.
        fileprivate(set) var busy: Int64 = 0
        fileprivate(set) var waiting: Int64 = 0
        /// The change, from this bin on, of the number of intervals that cover whole bins.
        fileprivate var busyChange: Int32 = 0
        fileprivate var waitingChange: Int32 = 0
        /// Number of items that began in this bin.
        fileprivate(set) var items: Int32 = 0

        fileprivate mutating func add(_ time: Int64, change: Int32 = 0, to measure: Measure) {
            switch measure {
            case .busy: (busy, busyChange) = (busy + time, busyChange + change)
            case .waiting: (waiting, waitingChange) = (waiting + time, waitingChange + change)
            }
        }
    }

    struct Series {
        /// The number of the first bin.
        fileprivate(set) var first = 0
        fileprivate(set) var bins: [Bin] = []

        /// Number of bins of an interval that the series does not have.
        fileprivate func missing(from first: Int, to last: Int) -> Int {
            if bins.isEmpty { return last + 1 - first }
            return max(0, self.first - first) + max(0, last + 1 - self.first - bins.count)
        }

        /// Adds the missing bins of an interval.
        fileprivate mutating func extend(from first: Int, to last: Int) {
            if bins.isEmpty { self.first = first }
            if first < self.first {
                bins.insert(contentsOf: repeatElement(Bin(), count: self.first - first), at: 0)
                self.first = first
            }
            let end = last + 1 - self.first
            if end > bins.count { bins.append(contentsOf: repeatElement(Bin(), count: end - bins.count)) }
        }
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
        add(position, from: begin, to: end, .busy)
    }

    /// Adds an interval in which an item waited for the queue, or in which the thread waited.
    mutating func addWaiting(_ position: Int, from begin: Int64, to end: Int64) {
        add(position, from: begin, to: end, .waiting)
    }

    /// Counts an item that began.
    mutating func count(_ position: Int, at time: Int64) {
        let bin = makeRoom(position, from: time, to: time)
        series[position].bins[bin].items += 1
    }

    private mutating func add(_ position: Int, from begin: Int64, to end: Int64, _ measure: Measure) {
        guard end > begin else { return }
        let first = makeRoom(position, from: begin, to: end)
        let last = Int(max(0, end) / width) - series[position].first
        guard last > first else { return series[position].bins[first].add(end - begin, to: measure) }
        series[position].bins[first].add(width - max(0, begin) % width, to: measure)
        series[position].bins[first + 1].add(0, change: 1, to: measure)
        series[position].bins[last].add(max(0, end) % width, change: -1, to: measure)
    }

    /// Adds the bins of an interval.
    ///
    /// - Returns: the index of its first bin in the series.
    private mutating func makeRoom(_ position: Int, from begin: Int64, to end: Int64) -> Int {
        while series.count <= position { series.append(Series()) }
        while true {
            let first = Int(max(0, begin) / width)
            let last = Int(max(0, end) / width)
            let missing = series[position].missing(from: first, to: last)
            // With one bin per series, wider bins would not save memory.
            if last >= Self.mostBins || (missing > 0 && last > 0 && binCount + missing > limit) {
                widen()
                continue
            }
            if missing > 0 {
                binCount += missing
                series[position].extend(from: first, to: last)
            }
            return first - series[position].first
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
