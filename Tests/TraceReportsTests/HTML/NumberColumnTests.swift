import Testing

@testable import TimelinePage

@Suite("Columns of numbers")
struct NumberColumnTests {
    private static func decoded(_ bytes: [UInt8], count: Int) -> [Int64] {
        var reader = TimelineData.Reader(bytes: bytes[...])
        return reader.contentNumbers(count)
    }

    @Test(
        "A decoded column has the encoded numbers",
        arguments: [
            [], [0], [255], [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7], [0, 254, 255, 256, 3, 9, 1, 4],
            [65_534, 65_535, 65_536, 300, 400, 500, 600], [1 << 24, 1 << 24 - 1, 1 << 24 - 2, 70_000, 80_000],
            [1 << 32 - 2, 1 << 32 - 1, 1 << 32, 1 << 48], [1 << 53, 1, 2, 3, 1 << 40, 4, 5],
        ] as [[Int64]])
    func roundTrip(values: [Int64]) {
        #expect(Self.decoded(NumberColumn(values).encoded(), count: values.count) == values)
    }

    @Test("The width is the one with the fewest bytes, and larger numbers follow the column")
    func width() {
        let small = (0..<100).map { Int64($0) }
        #expect(NumberColumn(small).encoded().first == 1)
        #expect(NumberColumn(small).encoded().count == 101)
        #expect(NumberColumn(small + [1 << 40]).encoded().first == 1)
        #expect(NumberColumn(small.map { $0 + 1_000 }).encoded().first == 2)
        #expect(NumberColumn(small.map { $0 + 100_000 }).encoded().first == 3)
        #expect(NumberColumn(small.map { $0 + 1 << 24 }).encoded().first == 4)
    }

    @Test("Runs are used only where they save most of the bytes")
    func runs() {
        let long = (0..<100).flatMap { Array(repeating: Int64($0), count: 20) }
        #expect(NumberColumn(long).encoded().first == 0)
        let short = (0..<100).flatMap { Array(repeating: Int64($0), count: 3) }
        #expect(NumberColumn(short).encoded().first == 1)
    }

    @Test("Negative numbers are written as zero")
    func negative() {
        #expect(Self.decoded(NumberColumn([-1, 5, -9, 6]).encoded(), count: 4) == [0, 5, 0, 6])
    }
}
