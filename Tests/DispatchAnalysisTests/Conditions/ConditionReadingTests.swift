import CTFReader
import DispatchModel
import TestSupport
import Testing
import TraceBuilder

@testable import DispatchAnalysis

/// A watch whose readings have a short part of the recording.
///
/// ```
///   condition            ┤ holds from here on
///   readings      ┤   ┤   ┤   ┤          50 ms apart; the next one causes the snapshot
/// ```
@Suite("The readings of a watch")
struct ConditionReadingTests {
    private static let interval = 50.0

    /// ms
    private func at(_ milliseconds: Double) -> Double { milliseconds * 1000 }

    /// A program of three seconds with an item at the time of each reading, so that the recording ends there.
    private func program() -> TraceBuilder {
        var trace = TraceBuilder()
        let beat = trace.serialQueue("app.beat")
        for time in stride(from: 0, through: 3_000, by: Self.interval) {
            trace.async(on: beat, at: at(time), begin: at(time), end: at(time), thread: 9, from: 8)
        }
        return trace
    }

    /// A snapshot: the time of the reading in ms, and its reason.
    private struct Snapshot: Equatable, CustomStringConvertible {
        let time: Double
        let reason: String

        var description: String { "\(time) ms: \(reason)" }
    }

    private func watch(_ conditions: [String], coolDown: Nanoseconds) throws -> ConditionWatch {
        ConditionWatch(
            try conditions.map { try TriggerCondition($0) }, limits: .init(coolDown: coolDown), countsPast: true)
    }

    /// The snapshots of a watch that begins with the recording.
    ///
    /// - Parameter spareEvents: the number of events that a reading analyses without need.
    private func snapshots(
        of trace: TraceBuilder, _ conditions: String..., coolDown: Nanoseconds = .seconds(60), spareEvents: Int = 0
    ) throws -> [Snapshot] {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        var watch = try watch(conditions, coolDown: coolDown)
        watch.spareEvents = spareEvents
        return try readings(of: trace) { events, _ in
            // A recorder that has completed its trace states the number of streams.
            try TraceDirectory.write(events, to: path, environment: "streams = 1;") { "thread-\($0)" }
            let analyzer = LiveAnalyzer(
                FollowedTrace(path: path), length: .seconds(5), options: AnalysisOptions(detectors: []))
            return try watch.next(of: analyzer)?.reason
        }
    }

    /// The same snapshots, if each reading has the whole recording so far.
    private func expected(
        of trace: TraceBuilder, _ conditions: String..., coolDown: Nanoseconds = .seconds(60)
    ) throws -> [Snapshot] {
        var watch = try watch(conditions, coolDown: coolDown)
        return readings(of: trace) { events, now in
            let collector = watch.makeCollector(origin: 0)
            collector.conclude(
                AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(
                    events: events, observers: [collector]))
            return watch.decide(collector.worst, at: now)
        }
    }

    /// Reads a growing recording.
    ///
    /// - Parameter read: reads the events so far, and the time in ns.
    private func readings(
        of trace: TraceBuilder, _ read: ([TimedEvent], Int64) throws -> SnapshotReason?
    ) rethrows -> [Snapshot] {
        let events = trace.events
        return try stride(from: Self.interval, through: 3_000, by: Self.interval).compactMap { time in
            let now = Int64(time * 1_000_000)
            let reason = try read(events.filter { $0.time.nanoseconds <= now }, now)
            return reason.map { Snapshot(time: time, reason: $0.text) }
        }
    }

    /// A condition, and the time in ms from which on it holds.
    struct Case: Sendable, CustomTestStringConvertible {
        let condition: String
        let begin: Double
        let add: @Sendable (inout TraceBuilder) -> Void

        var testDescription: String { condition }
    }

    private static let cases: [Case] = [
        Case(condition: "queue=app.db wait>250ms", begin: 1_062) { trace in
            let queue = trace.serialQueue("app.db")
            trace.async(on: queue, at: 500_000, begin: 501_000, end: 2_500_000, thread: 2)
            trace.async(on: queue, at: 812_000, begin: 2_500_000, end: 2_501_000, thread: 2)
        },
        Case(condition: "actor=App.Cache wait>700ms", begin: 1_402) { trace in
            trace.taskTrack()
            let actor = trace.actor("App.Cache")
            let (first, second) = (trace.task(at: 0), trace.task(at: 0))
            trace.begin(first, on: actor, thread: 2, at: 1_000)
            trace.begin(second, thread: 3, at: 1_000)
            trace.hop(second, to: actor, from: 3, at: 702_000, begin: 2_001_000, thread: 3)
            trace.finish(first, thread: 2, at: 2_000_000)
            trace.finish(second, thread: 3, at: 2_002_000)
        },
        Case(condition: "main blocked>250ms", begin: 860) { trace in
            trace.async(on: trace.mainQueue(), at: 600_000, begin: 610_000, end: 2_000_000, thread: 1)
        },
        Case(condition: "main blocked>300ms", begin: 1_020) { trace in
            trace.taskTrack()
            let task = trace.task(at: 0)
            trace.begin(task, on: trace.mainActor(), thread: 1, at: 720_000)
            trace.finish(task, thread: 1, at: 2_400_000)
        },
        Case(condition: "loop blocked>50ms", begin: 383) { trace in
            trace.iterate(trace.loop("ELT", thread: 2), begin: 333_000, end: 2_000_000, thread: 2)
        },
        Case(condition: "pool starved>100ms", begin: 803) { trace in
            let root = trace.globalQueue()
            let queue = trace.serialQueue("app.db", target: root)
            for thread: UInt32 in 2...3 {
                trace.worker(thread, of: root, made: 1_000, started: 2_000)
                trace.async(on: root, at: 3_000, begin: 3_000, end: 2_500_000, thread: thread)
            }
            trace.async(on: queue, at: 703_000, begin: 2_500_000, end: 2_501_000, thread: 2)
        },
        Case(condition: "request>1s", begin: 1_640) { trace in
            let message = "00-0af7651916cd43dd8448eb211c80319c-0000000000000001-01"
            let code = trace.function("GET")
            trace.add(
                .signpostBegin(.init(signpost: 1, log: 1, code: code, message: message)), at: 640_000, thread: 2)
            trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: code, message: "")), at: 2_900_000, thread: 2)
        },
        Case(condition: "workers>2", begin: 1_017) { trace in
            let root = trace.globalQueue()
            trace.worker(2, of: root, made: 1_000, started: 2_000)
            trace.worker(3, of: root, made: 1_000, started: 2_000)
            trace.worker(4, of: root, made: 1_016_000, started: 1_017_000)
        },
        Case(condition: "queue=app.db depth>2", begin: 1_440) { trace in
            let queue = trace.serialQueue("app.db")
            trace.async(on: queue, at: 100_000, begin: 101_000, end: 2_500_000, thread: 2)
            for time in [300_000.0, 700_000, 1_440_000] { trace.async(on: queue, at: time, thread: 2) }
        },
        // The locks are acquired long before the cycle.
        Case(condition: "deadlock", begin: 2_100) { trace in
            let (first, second) = (trace.lock("first", fair: true), trace.lock("second", fair: true))
            trace.hold(first, thread: 2, granted: 100_000, released: nil)
            trace.hold(second, thread: 3, granted: 150_000, released: nil)
            trace.add(.lockWait(.init(lock: second, code: 0)), at: 1_500_000, thread: 2)
            trace.add(.lockWait(.init(lock: first, code: 0)), at: 2_000_000, thread: 3)
        },
    ]

    @Test("A condition causes a snapshot at the next reading after it begins to hold", arguments: cases)
    func time(of example: Case) throws {
        var trace = program()
        example.add(&trace)
        let found = try snapshots(of: trace, example.condition)
        #expect(found.count == 1, "\(found)")
        let time = try #require(found.first?.time)
        #expect(time > example.begin && time <= example.begin + Self.interval)
        #expect(try found == expected(of: trace, example.condition))
    }

    @Test("An item with a delay counts from its due time on, if its submission is in the part that costs little")
    func delay() throws {
        var trace = program()
        let queue = trace.serialQueue("app.db")
        trace.async(on: queue, at: at(290), begin: at(290), end: at(2_900), thread: 2)
        trace.asyncAfter(on: queue, at: at(300), delay: at(1_000), begin: at(2_910), end: at(2_920), thread: 2)
        let condition = "queue=app.* wait>210ms"
        let found = try snapshots(of: trace, condition, spareEvents: 10_000)
        #expect(found.map(\.time) == [1_550], "\(found)")
        #expect(try found == expected(of: trace, condition))
        // Without its submission, the item counts when it begins.
        let late = try snapshots(of: trace, condition)
        #expect(late.map(\.time) == [2_950], "\(late)")
        #expect(late.first?.reason.hasSuffix("an item of app.db waited 1.61 s") == true, "\(late)")
    }

    @Test("Operations that began during the cool-down count after it")
    func coolDown() throws {
        var trace = program()
        for (label, time) in [("app.first", 200.0), ("app.second", 800), ("app.third", 1_900)] {
            let queue = trace.serialQueue(label)
            trace.async(on: queue, at: at(10), begin: at(20), end: at(2_900), thread: UInt32(time))
            trace.async(on: queue, at: at(time), begin: at(2_900), end: at(2_901), thread: UInt32(time))
        }
        let found = try snapshots(of: trace, "queue=* wait>100ms", coolDown: .seconds(1))
        #expect(found.map(\.time) == [350, 1_350, 2_350], "\(found)")
        #expect(try found == expected(of: trace, "queue=* wait>100ms", coolDown: .seconds(1)))
    }

    @Test("A reading has the part in which an operation began that exceeds a limit since the reading before")
    func length() throws {
        let (second, past) = (Int64(1_000_000_000), Nanoseconds.seconds(5))
        var watch = try watch(["queue=app.db wait>250ms"], coolDown: .seconds(1))
        #expect(watch.length(at: 100 * second, past: past) == past + .milliseconds(250))
        #expect(watch.decide([nil], at: 100 * second) == nil)
        #expect(watch.length(at: 100 * second + 50_000_000, past: past) == .milliseconds(300))
        #expect(watch.length(at: 102 * second, past: past) == .milliseconds(2_250))
        #expect(watch.decide([TriggerCase(text: "waited", excess: 1)], at: 102 * second) != nil)
        // Nothing can cause a snapshot now. Events may be 20 ms late.
        #expect(watch.length(at: 102 * second + 50_000_000, past: past) == .milliseconds(70))
        #expect(watch.decide([nil], at: 102 * second + 50_000_000) == nil)
        #expect(watch.length(at: 103 * second, past: past) == .milliseconds(1_250))
    }

    @Test("A reading has the whole past of a program with few events")
    func spareLength() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        // 183 events in three seconds
        try TraceDirectory.write(program().events, to: path, environment: "streams = 1;") { "thread-\($0)" }
        let past = Nanoseconds.milliseconds(2_500)
        let analyzer = LiveAnalyzer(
            FollowedTrace(path: path), length: past, options: AnalysisOptions(detectors: []))
        for (spareEvents, expected) in [(1_000, past), (61, .seconds(1)), (0, .milliseconds(300))] {
            var watch = try watch(["queue=app.db wait>250ms"], coolDown: .seconds(1))
            watch.spareEvents = spareEvents
            let outcome = try watch.next(of: analyzer)
            #expect(outcome?.reason == nil)
            let now = Int64(1_600_000_003_050_000_000)
            let length = watch.length(at: now, past: past)
            #expect(abs((length - expected).count) < 50_000_000, "\(spareEvents): \(length)")
        }
    }

    @Test("A limit of hours does not read hours")
    func longLimit() throws {
        var watch = try watch(["request>10h"], coolDown: .seconds(1))
        #expect(watch.decide([nil], at: 1_000_000_000) == nil)
        #expect(watch.length(at: 2_000_000_000, past: .seconds(5)) == .seconds(61))
    }
}
