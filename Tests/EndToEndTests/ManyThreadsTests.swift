import TestSupport
import Testing

/// Runs Tools/many-threads with fewer threads, and without its limit of time.
@Suite("A program with many threads", .enabled(if: Program.canRun("python3")))
struct ManyThreadsTests {
    @Test("has all events in its trace")
    func noneDiscarded() throws {
        let result = try #require(Program.installed("python3")).run(
            [Package.root + "/Tools/many-threads", "--threads", "1000", "--rate", "20000", "--seconds", "1"],
            environment: ["QUEUESCOPE": Program.queuescope.path])
        #expect(result.output.contains("good   discarded  0 of "), "\(result.output) \(result.errors)")
        #expect(result.output.contains("recorder "), "\(result.output)")
    }
}
