import CTFReader
import Foundation
import Scenarios
import Testing

@testable import Evaluator

/// The traces that the evaluator derives from a recording, as the reader reads them. All tests use one recording.
@Suite("A derived trace", .serialized)
final class DerivedTraceTests {
    private let directory: URL
    private let recorded: URL
    private let trace: RecordedTrace

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let scenario = try #require(ScenarioCatalogue.scenario(id: "subsystems"))
        let run = ScenarioRun(scenario, seed: 1, repaired: false)
        recorded = try VariantRecording.undisturbed(run, in: directory).trace
        trace = try RecordedTrace(recorded)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// An event as the reader delivers it.
    private struct Event: Equatable {
        let time: Int64
        let name: String
        let tid: UInt32
    }

    private func read(_ directory: URL) throws -> (events: [Event], summary: ReadSummary) {
        let trace = try CTFTrace(path: directory.path)
        var events: [Event] = []
        let summary = try trace.forEachEvent {
            events.append(
                Event(time: $0.nanoseconds, name: trace.eventClasses[$0.classIndex].name, tid: $0.packetTID))
        }
        #expect(summary.notes.allSatisfy { $0.code == .lostPackets })
        return (events, summary)
    }

    private func read(_ trace: RecordedTrace) throws -> (events: [Event], summary: ReadSummary) {
        let place = directory.appendingPathComponent(UUID().uuidString)
        try trace.write(to: place)
        return try read(place)
    }

    private func changed(_ change: (inout RecordedTrace) throws -> Void) rethrows -> RecordedTrace {
        var changed = trace
        try change(&changed)
        return changed
    }

    /// The number of records that are not definitions.
    private static func count(_ trace: RecordedTrace) -> Int {
        trace.streams.filter { !$0.isDefinitions }.reduce(0) { $0 + $1.records.count }
    }

    @Test("has the events of the recording, in packets of any size")
    func roundTrip() throws {
        let before = try read(recorded)
        #expect(before.events.count > 500)
        let isSame = try read(trace).events == before.events
        #expect(isSame)
        let small = changed { $0.streams = $0.streams.map { $0.repacked(256) } }
        let after = try read(small)
        let isStillSame = after.events == before.events
        #expect(isStillSame && after.summary.lostPackets == 0 && after.summary.discarded == 0)
        let packets = small.streams.flatMap(\.packets)
        #expect(after.summary.packets == packets.count)
        #expect(packets.allSatisfy { $0.bytes <= 256 || $0.records.count == 1 })
    }

    @Test("lacks its share of the packets, and the reader reports it", arguments: [0.1, 0.2, 0.7])
    func losses(share: Double) throws {
        let whole = try read(recorded)
        var lost = LostRecords()
        let after = try read(changed { lost = $0.lose(share, seed: 7) })
        let packets = changed { trace in trace.streams = trace.streams.map { $0.repacked(1024) } }
            .streams.filter { !$0.isDefinitions }.reduce(0) { $0 + $1.packets.count }
        // At least 80 packets, 16 times: the probability of a deviation of 0.1 is one in a hundred billion.
        var lostOfAll = 0
        for seed in 1...16 as ClosedRange<UInt64> {
            _ = changed { lostOfAll += $0.lose(share, seed: seed).packets }
        }
        #expect(abs(Double(lostOfAll) / Double(16 * packets) - share) < 0.1)
        #expect(after.events.count < whole.events.count)
        #expect(after.summary.lostPackets > 0 || after.summary.discarded > 0)
        // Without a gap in the sequence numbers, the discarded events are counted.
        #expect(after.summary.lostPackets <= lost.packets)
        #expect(after.events.count >= trace.streams.filter(\.isDefinitions).reduce(0) { $0 + $1.records.count })
    }

    @Test("reports streams that were lost completely")
    func wholeStreams() throws {
        let after = try read(changed { _ = $0.lose(1, seed: 7) })
        #expect(after.summary.discarded == UInt64(Self.count(trace)) && after.summary.lostPackets == 0)
        #expect(after.events.count == trace.streams.filter(\.isDefinitions).reduce(0) { $0 + $1.records.count })
    }

    @Test("loses the same packets with the same seed")
    func seeds() throws {
        func events(_ seed: UInt64) throws -> [Event] { try read(changed { _ = $0.lose(0.2, seed: seed) }).events }
        let (first, again, other) = try (events(1), events(1), events(2))
        let isRepeated = first == again
        let differs = first != other
        #expect(isRepeated && differs)
    }

    @Test("has all definitions and the later events after overwriting")
    func overwritten() throws {
        let middle = try #require(trace.middle)
        let half = changed { $0.overwrite(before: middle) }
        let later = trace.streams.flatMap { stream in
            stream.records.filter { stream.isDefinitions || $0.time >= middle }
        }
        let after = try read(half)
        #expect(after.events.count == later.count && Self.count(half) < Self.count(trace))
        #expect(after.summary.lostPackets == 0 && after.summary.discarded == 0)
        for stream in half.streams where !stream.isDefinitions {
            let began = try #require(trace.streams.first { $0.name == stream.name }?.records.first).time
            #expect(stream.packets.first?.sequence == (began < middle ? 1 : 0))
        }
    }

    // The added quiet time before and after the recording, in half hours.
    @Test("lasts an hour longer without events, and is otherwise the same", arguments: [(true, 1), (false, 2)])
    func quietHour(goesOn: Bool, before halves: Int64) throws {
        #expect(!trace.endsInItem)
        let whole = try read(recorded).events
        let after = try read(changed { try $0.embedInQuiet(goesOn: goesOn) }).events
        #expect(after.count == whole.count + 2)
        let inner = Array(after.dropFirst().dropLast())
        let isSame = inner.map(\.name) == whole.map(\.name)
        #expect(isSame)
        let half: Int64 = 1_800_000_000_000
        let begin = try #require(whole.first).time
        #expect(after.first?.time == begin)
        #expect(zip(inner, whole).allSatisfy { abs($0.time - $1.time - halves * half) <= 1 })
        let last = try #require(whole.last).time
        #expect(abs(try #require(after.last).time - last - 2 * half - 1_000_000) <= 1)
    }

    @Test("is not derived from files that the recorder did not write")
    func foreign() throws {
        let place = directory.appendingPathComponent("broken")
        try FileManager.default.copyItem(at: recorded, to: place)
        // A truncated packet header.
        try Data([0xC1, 0x1F, 0xFC, 0xC1, 0]).write(to: place.appendingPathComponent("thread-9999"))
        #expect(throws: RecordedTrace.Failure.self) { try RecordedTrace(place) }
        // Metadata without a clock.
        try Data("/* CTF 1.8 */".utf8).write(to: place.appendingPathComponent("metadata"))
        #expect(throws: RecordedTrace.Failure.self) { try RecordedTrace(place) }
    }
}
