import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("A snapshot of a running program")
struct SnapshotTests {
    /// ```
    ///   thread 1   ├ 1 ┤         ├ 3 ─────────┤
    ///   thread 2           ├ 2 ──────────┤
    ///   time       10  20  30    40   ↑ end: 50
    /// ```
    @Test("has no event after its end, and what runs then is unfinished", arguments: ["stream", "flight"])
    func unfinished(mode: String) throws {
        let directory = TemporaryDirectory()
        let output = try Program.probe.scenario("snapshot-end", directory.appending("trace"), mode)
        let trace = try RecordedTrace(#require(output.lines.map { String($0) }.first))
        let events = trace.lines(named: ["item_begin", "item_end"]).map { "\($0.name) \($0.values[0])" }
        #expect(events == ["item_begin 1", "item_end 1", "item_begin 2", "item_begin 3"])
        #expect(trace.lines(named: ["thread_start"]).count == 2)
        #expect(trace.lines(named: ["thread_exit"]).isEmpty)
        #expect(trace.lines.map { $0.time }.max() == trace.lines(named: ["item_begin"]).last?.time)
        #expect(trace.summary.notes.isEmpty && trace.summary.discarded == 0)
        if mode == "stream" { #expect(trace.streamBytes.declared == trace.streamBytes.found) }
        let recording = try RecordedTrace(directory.appending("trace"))
        #expect(recording.lines(named: ["item_end"]).count == 3, "the recording has all")
    }

    /// Each item runs on another thread than the one before, and a thread begins an item when the one before has ended:
    ///
    /// ```
    ///   thread 1   ├1┤        ├4┤        ├7┤
    ///   thread 2      ├2┤        ├5┤        ├8
    ///   thread 3         ├3┤        ├6┤       ↑ end: 8 is unfinished
    /// ```
    @Test("ends at one time in all threads", arguments: ["stream", "flight"])
    func end(mode: String) throws {
        let directory = TemporaryDirectory()
        let output = try Program.probe.scenario("snapshots", directory.appending("trace"), "16", "20", mode)
        #expect(output.lines.count == 20)
        for path in output.lines.map({ String($0) }) {
            let trace = try RecordedTrace(path)
            let events = trace.lines(named: ["item_begin", "item_end"])
            let expected = events.indices.map { "\($0 % 2 == 0 ? "item_begin" : "item_end") \($0 / 2 + 1)" }
            #expect(events.map { "\($0.name) \($0.values[0])" } == expected, "\(path)")
            #expect(events.count > 100)
            #expect(trace.summary.notes.isEmpty && trace.summary.discarded == 0)
            if mode == "stream" {
                // A flight recorder has a file that is not counted.
                #expect(trace.streamCounts.declared == trace.streamCounts.found)
                #expect(trace.streamBytes.declared == trace.streamBytes.found)
            }
            #expect(try CTFTrace(path: path).packetTotals.events == trace.summary.events)
        }
    }
}
