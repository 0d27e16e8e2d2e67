import CTFReader
import TestSupport
import Testing

@Suite("Clock values as nanoseconds")
struct ClockClassTests {
    @Test(
        "nanoseconds are exact and rounded down",
        arguments: [
            (1_000_000_000, 0, 0, 17, 17), (1_000_000_000, 3, 4, 5, 3_000_000_009), (3, 0, 0, 1, 333_333_333),
            (3, 0, 0, 2, 666_666_666), (3, 0, -2, 1, -333_333_334), (2_100_000_000, 1, 0, 2_100_000_001, 2_000_000_000),
            (1, 0, 0, UInt64.max, Int64.max), (UInt64.max, 0, 0, UInt64.max, 1_000_000_000),
            (1, Int64.min, 0, 0, Int64.min),
        ] as [(UInt64, Int64, Int64, UInt64, Int64)])
    func nanoseconds(frequency: UInt64, seconds: Int64, cycles: Int64, value: UInt64, expected: Int64) {
        let clock = ClockClass(frequency: frequency, offsetSeconds: seconds, offsetCycles: cycles)
        #expect(clock.nanosecondsFromOrigin(value) == expected)
    }

    @Test(
        "a record's nanoseconds are those of its clock value, whatever came before",
        arguments: [1, 2, 3, 999_999_999, 1_000_000_000, 2_100_000_007, 1 << 61, UInt64.max] as [UInt64])
    func records(frequency: UInt64) throws {
        var random = SplitMix(state: frequency)
        let bytes = PacketBuilder.build {
            var time: UInt64 = 0
            for _ in 0..<500 {
                time &+= 1 << UInt64.random(in: 0..<56, using: &random)
                time &+= UInt64.random(in: 0..<1000, using: &random)
                $0.extendedItem(1, at: time)
            }
        }
        let metadata = CTFTraceFixture.metadata(frequency: frequency)
        try CTFTraceFixture(metadata: metadata, files: [("s", bytes)]).use { path in
            let trace = try CTFTrace(path: path)
            let summary = try trace.forEachEvent { record in
                #expect(record.nanoseconds == trace.clock.nanosecondsFromOrigin(record.clockValue))
            }
            #expect(summary.events == 500)
        }
    }
}
