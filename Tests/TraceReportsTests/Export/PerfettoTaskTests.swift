import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TraceReports

/// Tasks in an export for Perfetto.
@Suite struct PerfettoTaskTests {
    /// ```
    ///   thread 1  creates                                resumes
    ///   thread 2     ├─ runs ─┤ awaits a continuation ──────┤
    ///   thread 3                                            ├─ runs ─┤
    ///   µs        5  10      20                          50 60      70
    /// ```
    private static func export(
        finishes: Bool = true
    ) throws -> (packets: [PerfettoTracePacket], export: PerfettoExport) {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 5, code: "App/Feed.swift:7")
        trace.begin(task, thread: 2, at: 10)
        trace.suspend(task, for: .continuation, thread: 2, at: 20)
        trace.resume(task, thread: 1, at: 50)
        trace.begin(task, thread: 3, at: 60)
        if finishes { trace.finish(task, thread: 3, at: 70) }
        let export = PerfettoExport()
        let analysis = Analyzer.analyze(events: trace.events, observers: [export])
        var bytes: [UInt8] = []
        try export.write(analysis) { bytes += $0 }
        return (try PerfettoTrace(serializedBytes: bytes).packet, export)
    }

    @Test("A run is a slice on its thread, with flows from its creation and resumption")
    func flows() throws {
        let (packets, export) = try Self.export()
        let events = packets.filter { $0.trackEvent.categoryIids == [PerfettoCategory.task.rawValue] }
        let begins = events.filter { $0.trackEvent.type == .sliceBegin }
        #expect(begins.map(\.timestamp) == [10_000, 60_000])
        #expect(Set(begins.map(\.trackEvent.trackUuid)).count == 2)
        let instants = events.filter { $0.trackEvent.type == .instant }.sorted { $0.timestamp < $1.timestamp }
        #expect(instants.map(\.timestamp) == [5_000, 50_000])
        #expect(instants.map(\.trackEvent.flowIds) == begins.map(\.trackEvent.terminatingFlowIds))
        #expect(instants.allSatisfy { $0.trackEvent.flowIds.count == 1 })
        #expect(export.counts.flows == 2)
        #expect(export.counts.slices == 4)
        #expect(export.openTasks.isEmpty)
    }

    @Test("A task that never ran has its creation, and no flow from it")
    func neverRan() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.task(at: 5)
        trace.task(at: 6)
        let export = PerfettoExport()
        let analysis = Analyzer.analyze(events: trace.events, observers: [export])
        try export.write(analysis) { _ in }
        #expect(export.counts.slices == 2)
        #expect(export.counts.flows == 0)
    }

    @Test("A task that is open at the end of the trace has the same flows")
    func open() throws {
        #expect(try Self.export(finishes: false).export.counts.flows == 2)
    }
}
