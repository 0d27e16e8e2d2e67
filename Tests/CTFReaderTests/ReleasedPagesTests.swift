import CTFReader
import Foundation
import Testing

@Suite("Memory of trace files")
struct ReleasedPagesTests {
    /// Bytes of a mapped file that are in memory.
    private static func residentBytes(of path: String) throws -> Int {
        let lines = try #require(ProcFile.text("/proc/self/smaps")).split(separator: "\n")
        let mapping = try #require(lines.firstIndex { $0.hasSuffix(path) })
        let resident = try #require(lines[mapping...].first { $0.hasPrefix("Rss:") })
        return try #require(Int(resident.split(separator: " ")[1])) * 1_024
    }

    @Test("After a pass, the pages of the trace files are released")
    func releasesPages() throws {
        let packet = PacketBuilder.build {
            for number in 1...20_000 { $0.item(UInt64(number), at: UInt64(number) * 100) }
        }
        try CTFTraceFixture(files: [("stream", packet)]).use { path in
            let trace = try CTFTrace(path: path)
            var events = 0
            _ = try trace.forEachBatch(readsAhead: true) { events += $0.count }
            #expect(events == 20_000)
            // The last page can be partial and is kept.
            #expect(try Self.residentBytes(of: "\(path)/stream") <= 4_096)
            withExtendedLifetime(trace) {}
        }
    }
}
