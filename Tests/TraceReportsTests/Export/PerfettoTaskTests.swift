import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TraceExports

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
    ) throws -> (packets: [ProtobufFields], export: PerfettoExport) {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 5, code: "App/Feed.swift:7")
        trace.begin(task, thread: 2, at: 10)
        trace.suspend(task, for: .continuation, thread: 2, at: 20)
        trace.resume(task, thread: 1, at: 50)
        trace.begin(task, thread: 3, at: 60)
        if finishes { trace.finish(task, thread: 3, at: 70) }
        var bytes: [UInt8] = []
        let export = PerfettoExport { bytes += $0 }
        try export.finish(AnalysisSession().analyze(events: trace.events, observers: [export]), of: 0)
        return (try ProtobufFields(bytes).messages(1), export)
    }

    @Test("A run is a slice on its thread, with flows from its creation and resumption")
    func flows() throws {
        let (packets, export) = try Self.export()
        // Fields of a packet: 8 is the time, 11 the event. Fields of an event: 3 is the category, 9 the kind, 11 the
        // track, 47 the flows, 48 the flows that end.
        let events = try packets.flatMap { packet in
            try packet.messages(11).map { (time: packet.numbers(8), event: $0) }
        }.filter { $0.event.numbers(3) == [PerfettoCategory.task.rawValue] }
        let begins = events.filter { $0.event.numbers(9) == [PerfettoEvent.Kind.sliceBegin.rawValue] }
        #expect(begins.map(\.time) == [[10_000], [60_000]])
        #expect(Set(begins.map { $0.event.numbers(11) }).count == 2)
        let instants = events.filter { $0.event.numbers(9) == [PerfettoEvent.Kind.instant.rawValue] }
            .sorted { $0.time[0] < $1.time[0] }
        #expect(instants.map(\.time) == [[5_000], [50_000]])
        #expect(instants.map { $0.event.numbers(47) } == begins.map { $0.event.numbers(48) })
        #expect(instants.allSatisfy { $0.event.numbers(47).count == 1 })
        #expect(export.counts.flows == 2)
        #expect(export.counts.slices == 4)
        #expect(export.tasks.open.isEmpty)
    }

    @Test("A task that never ran has its creation, and no flow from it")
    func neverRan() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.task(at: 5)
        trace.task(at: 6)
        let export = PerfettoExport { _ in }
        try export.finish(AnalysisSession().analyze(events: trace.events, observers: [export]), of: 0)
        #expect(export.counts.slices == 2)
        #expect(export.counts.flows == 0)
    }

    @Test("A task that is open at the end of the trace has the same flows")
    func open() throws {
        #expect(try Self.export(finishes: false).export.counts.flows == 2)
    }
}
