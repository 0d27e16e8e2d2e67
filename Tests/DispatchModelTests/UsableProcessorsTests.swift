import DispatchModel
import Testing
import TraceBuilder

@Suite struct UsableProcessorsTests {
    @Test(
        "The count is what affinity allows, or the quota rounded up where that is less",
        arguments: [
            (8, 0, 8), (8, 1_500, 2), (8, 2_000, 2), (8, 2_001, 3), (8, 8_000, 8), (8, 12_000, 8), (8, 1, 1),
            (1, 500, 1), (0, 1_500, 0), (-1, -1, 0),
        ])
    func count(allowed: Int, quotaMilli: Int, count: Int) {
        #expect(UsableProcessors(allowed: allowed, quotaMilli: quotaMilli).count == count)
    }

    @Test("A process that records through LTTng says them itself")
    func processState() {
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log)
        #expect(builder.model.processors == 0)
        builder.handle(
            .processState(
                .init(
                    pid: 77, name: "App", schemaMajor: 1, schemaMinor: 4, processors: 8, processorsOnline: 64,
                    processorQuotaMilli: 1_500)), at: .zero, tid: 77)
        #expect(builder.model.processors == 2)
        #expect(builder.model.processorQuota == 1.5)
        #expect(builder.model.usableProcessors == UsableProcessors(allowed: 8, online: 64, quotaMilli: 1_500))
        builder.finish()
    }
}
