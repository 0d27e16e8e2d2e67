import DispatchModel

/// The intervals in which each thread had a processor, with a bounded number of slices. When there are too many, the
/// shortest gaps between slices are closed.
///
/// ```
///   recorded   ├──┤├─┤   ├───┤ ├──┤          ├──┤
///   kept       ├─────┤   ├────────┤          ├──┤     resolution: longer than the closed gaps
/// ```
struct ProcessorSlices {
    struct Slice {
        var begin: Int64
        var end: Int64
        /// The processor; -1 when it is unknown or changes within the slice.
        var processor: Int32
        /// The reason for the end: 0 preempted, 1 blocked, 2 unknown.
        var ending: UInt8
    }

    /// Indexed by thread position; the slices of a thread are in order of time.
    private(set) var threads: [[Slice]] = []
    private(set) var count = 0
    /// Shorter gaps outside of the windows are closed. 0 when no gap was closed.
    private(set) var resolution: Int64 = 0

    private let limit: Int
    private let windows: DetailWindows

    init(limit: Int, windows: DetailWindows = DetailWindows()) {
        self.limit = limit
        self.windows = windows
    }

    mutating func append(_ slice: ProcessorSlice) {
        while threads.count <= slice.thread.position { threads.append([]) }
        let ending: UInt8 =
            switch slice.ending {
            case .preempted: 0
            case .blocked: 1
            case .unknown: 2
            }
        let new = Slice(
            begin: slice.begin.nanoseconds, end: max(slice.begin, slice.end).nanoseconds,
            processor: slice.processor.map { Int32($0) } ?? -1, ending: ending)
        let thread = slice.thread.position
        if let last = threads[thread].last, closesGap(between: last, and: new) {
            Self.extend(&threads[thread][threads[thread].count - 1], by: new)
            return
        }
        threads[thread].append(new)
        count += 1
        while count >= limit, resolution < 1 << 60 { coarsen() }
    }

    /// Doubles the resolution and closes the gaps that are shorter.
    mutating func coarsen() {
        resolution = max(1_024, resolution * 2)
        count = 0
        for thread in threads.indices {
            var kept: [Slice] = []
            for slice in threads[thread] {
                if let last = kept.last, closesGap(between: last, and: slice) {
                    Self.extend(&kept[kept.count - 1], by: slice)
                } else {
                    kept.append(slice)
                }
            }
            threads[thread] = kept
            count += kept.count
        }
    }

    private func closesGap(between left: Slice, and right: Slice) -> Bool {
        guard right.begin - left.end < resolution else { return false }
        // At a very large resolution, close gaps inside of windows too.
        return resolution >= 1 << 40 || windows.rank(from: left.end, to: right.begin) == nil
    }

    private static func extend(_ slice: inout Slice, by next: Slice) {
        slice.end = max(slice.end, next.end)
        slice.ending = next.ending
        if slice.processor != next.processor { slice.processor = -1 }
    }
}
