import Testing

@testable import TimelinePage

@Suite("Activity histogram")
struct ActivityHistogramTests {
    /// The decoded bins of each series: (number, items, busy, waiting), with times in 4096ths of the width.
    private static func bins(_ histogram: ActivityHistogram) -> (width: Int64, series: [Int64: [[Int64]]]) {
        var reader = TimelineData.Reader(bytes: histogram.encoded()[...])
        let width = reader.varint()
        var series: [Int64: [[Int64]]] = [:]
        for _ in 0..<reader.varint() {
            let position = reader.varint()
            var number: Int64 = 0
            series[position] = (0..<reader.varint()).map { _ in
                number += reader.varint()
                return [number, reader.varint(), reader.varint(), reader.varint()]
            }
        }
        return (width, series)
    }

    /// ```
    ///   busy       ├─────────────┤
    ///   bins    0     │ 1   │ 2   │ 3
    /// ```
    @Test("An interval fills the bins that it covers, in part at its ends")
    func fillsBins() {
        var histogram = ActivityHistogram(width: 1_024)
        histogram.addBusy(3, from: 512, to: 3_328)
        histogram.addWaiting(3, from: 1_100, to: 1_356)
        histogram.count(3, at: 512)
        let (width, series) = Self.bins(histogram)
        #expect(width == 1_024)
        #expect(series == [3: [[0, 1, 2_048, 0], [1, 0, 4_096, 1_024], [2, 0, 4_096, 0], [3, 0, 1_024, 0]]])
    }

    @Test("Wider bins keep all times and items")
    func widens() {
        var generator = Numbers(state: 5)
        var histogram = ActivityHistogram(width: 1_024, limit: 200)
        var busy: Int64 = 0
        for number in 0..<2_000 {
            let begin = Int64(number) * 10_000 + Int64(generator.next() % 5_000)
            let end = begin + Int64(generator.next() % 100_000)
            histogram.addBusy(Int(generator.next() % 7), from: begin, to: end)
            histogram.count(0, at: begin)
            busy += end - begin
        }
        histogram.settle()
        #expect(histogram.series.reduce(0) { $0 + $1.bins.count } <= 200)
        #expect(histogram.series.allSatisfy { $0.bins.count <= ActivityHistogram.mostBins })
        #expect(histogram.series.reduce(0) { $0 + $1.bins.reduce(0) { $0 + $1.busy } } == busy)
        #expect(histogram.series.reduce(0) { $0 + $1.bins.reduce(0) { $0 + Int($1.items) } } == 2_000)
    }

    @Test("A long trace with one activity at each end takes two bins in the file")
    func emptyBinsAreFree() {
        var histogram = ActivityHistogram()
        histogram.addBusy(0, from: 0, to: 1_000)
        histogram.addBusy(0, from: 3_600_000_000_000, to: 3_600_000_001_000)
        #expect(Self.bins(histogram).series[0]?.count == 2)
    }

    @Test("With a smaller limit, bins are wider and count the same items", arguments: [40, 400, 4_000])
    func encodesWithinBounds(largest: Int) {
        var histogram = ActivityHistogram(width: 1_024)
        for number in 0..<2_000 {
            histogram.addBusy(number % 3, from: Int64(number) * 1_024, to: Int64(number) * 1_024 + 500)
            histogram.count(number % 3, at: Int64(number) * 1_024)
        }
        #expect(histogram.encoded().count > 4_000)
        var reader = TimelineData.Reader(bytes: histogram.encoded(largest: largest)[...])
        #expect(reader.bytes.count <= largest)
        #expect(reader.varint() > 1_024)
        var items: Int64 = 0
        for _ in 0..<reader.varint() {
            _ = reader.varint()
            for _ in 0..<reader.varint() {
                _ = reader.varint()
                items += reader.varint()
                _ = (reader.varint(), reader.varint())
            }
        }
        #expect(items == 2_000)
    }
}
