import Synchronization
import Testing

@testable import CTFReader

@Suite("Several traces as one")
struct TraceMergeTests {
    private static let instances = Atomic<UInt64>(0)

    /// A trace with one item at each of the clock values.
    private func trace(_ times: [UInt64], offset: Int = 5, clock uuid: String? = nil) -> CTFTraceFixture {
        var metadata = CTFTraceFixture.metadata().replacing("offset = 5;", with: "offset = \(offset);")
        if let uuid {
            metadata = metadata.replacing("clock { name", with: "clock { uuid = \"\(uuid)\"; name")
        }
        // Packets of one stream with the same number would be the same packet.
        let instance = Self.instances.add(1, ordering: .relaxed).newValue
        var packet = PacketBuilder(instance: instance, begin: times.first ?? 0, end: times.last ?? 0)
        for time in times { packet.item(time, at: time) }
        return CTFTraceFixture(metadata: metadata, files: [("s", packet.bytes)])
    }

    private func merged(_ fixtures: [CTFTraceFixture]) throws -> [String] {
        func open(_ rest: ArraySlice<CTFTraceFixture>, _ traces: [CTFTrace]) throws -> [String] {
            if let fixture = rest.first {
                return try fixture.use { try open(rest.dropFirst(), traces + [CTFTrace(path: $0)]) }
            }
            var lines: [String] = []
            let summaries = try TraceMerge.forEachEvent(of: traces) { lines.append("\($0):\($1.unsigned(0))") }
            #expect(summaries.map(\.events).reduce(0, +) == lines.count)
            return lines
        }
        return try open(fixtures[...], [])
    }

    @Test("records come in the order of time, those of equal time in the order of the traces")
    func order() throws {
        let traces = [trace([1, 5, 9, 9]), trace([2, 3, 9, 20]), trace([]), trace([0, 5])]
        #expect(
            try merged(traces) == ["3:0", "0:1", "1:2", "1:3", "0:5", "3:5", "0:9", "0:9", "1:9", "1:20"])
    }

    @Test("the offsets of the clocks count")
    func offsets() throws {
        #expect(
            try merged([trace([10, 30], offset: 100), trace([105, 125], offset: 0)]) == [
                "1:105", "0:10", "1:125", "0:30",
            ])
    }

    @Test("clocks of one identity have the first one's offset, whatever the tracers measured")
    func sameBoot() throws {
        let boot = "10111213-1415-1617-1819-1a1b1c1d1e1f"
        let traces = [trace([10, 30], offset: 100, clock: boot), trace([11, 29], offset: 0, clock: boot)]
        #expect(try merged(traces) == ["0:10", "1:11", "1:29", "0:30"])
    }

    @Test("any distribution of records over traces gives one order", arguments: 1...20)
    func anyDistribution(seed: UInt64) throws {
        var state = seed
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        var times: [[UInt64]] = Array(repeating: [], count: Int(next(5)) + 1)
        for time in 0..<200 where next(2) == 0 { times[Int(next(UInt64(times.count)))].append(UInt64(time / 2)) }
        let expected = times.enumerated().flatMap { trace, times in times.map { (trace, $0) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map { "\($0.0):\($0.1)" }
        #expect(try merged(times.map { trace($0) }) == expected)
    }
}
