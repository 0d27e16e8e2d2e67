import DispatchModel

/// When each thread had a processor, bounded: when there are too many slices, the shortest gaps between them are
/// closed.
///
/// ```
///   recorded   ├──┤├─┤   ├───┤ ├──┤          ├──┤
///   kept       ├─────┤   ├────────┤          ├──┤     resolution: longer than the gaps that are gone
/// ```
struct ProcessorSlices {
    struct Slice {
        var begin: Int64
        var end: Int64
        /// -1 when it is not known, or not the same all the time.
        var processor: Int32
        /// 0 preempted, 1 blocked, 2 unknown.
        var ending: UInt8
    }

    /// By position of the thread; each in the order of time.
    private(set) var threads: [[Slice]] = []
    private(set) var count = 0
    /// Gaps shorter than this are not there, outside of the windows; 0 when all are.
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

    /// Closes more gaps, until about a quarter is gone or no gap is left.
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
        // Once nothing else helps, the windows give way too.
        return resolution >= 1 << 40 || windows.rank(from: left.end, to: right.begin) == nil
    }

    private static func extend(_ slice: inout Slice, by next: Slice) {
        slice.end = max(slice.end, next.end)
        slice.ending = next.ending
        if slice.processor != next.processor { slice.processor = -1 }
    }
}
