import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import CTFReader

/// Reads a window of a trace without the rest.
@Suite("A window of a trace") struct WindowTests {
    private let directory = TemporaryDirectory()

    /// Properties of an item, independent of its numbers in the model.
    private struct Fact: Hashable, CustomStringConvertible {
        let queue: UInt64
        let label: String
        let thread: UInt32
        let kind: ItemKind
        let code: String
        let enqueued: Timestamp
        let began: Timestamp
        let ended: Timestamp

        init(_ item: Item, in model: DispatchModel) {
            queue = model[item.queue].serialNumber
            label = model[item.queue].label
            thread = model[item.thread].tid
            kind = item.kind
            code = "\(model[item.code])"
            enqueued = item.enqueuedAt
            began = item.beganAt
            ended = item.endedAt
        }

        var description: String { "\(label) on \(thread), \(kind), \(code): \(enqueued) \(began) \(ended)" }
    }

    /// Ids can be reused, so the time is part of the key.
    private struct Submission: Hashable {
        let id: UInt64
        let time: Timestamp

        init(_ id: UInt64, _ time: Timestamp) { (self.id, self.time) = (id, time) }
    }

    private func read(_ path: String, _ window: TraceWindow?) throws -> (model: DispatchModel, log: ObservationLog) {
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log, awaitsWindow: window != nil)
        let trace = try DispatchTrace(path: path)
        if let window {
            _ = try trace.read(into: &builder, in: window)
        } else {
            _ = try trace.read(into: &builder)
        }
        builder.finish(at: window.map { Timestamp(nanoseconds: $0.end - $0.whole.lowerBound) })
        return (builder.model, log)
    }

    private func whole(_ path: String) throws -> ClosedRange<Int64> {
        try #require(TraceMerge.extent(of: [CTFTrace(path: path)]))
    }

    /// The items that begin and end in a window.
    private func facts(
        _ read: (model: DispatchModel, log: ObservationLog), _ window: TraceWindow
    ) -> [Fact: Int] {
        let begin = Timestamp(nanoseconds: window.begin - window.whole.lowerBound)
        let end = Timestamp(nanoseconds: window.end - window.whole.lowerBound)
        let inside = read.log.items.filter { $0.beganAt >= begin && $0.endedAt <= end && $0.isFinished }
        return Dictionary(inside.map { (Fact($0, in: read.model), 1) }, uniquingKeysWith: +)
    }

    /// Windows of a trace, as fractions of its duration.
    private static let parts: [(from: Double, to: Double)] = [(0, 0.1), (0.3, 0.4), (0.45, 0.9), (0.5, 0.51), (0.9, 1)]

    @Test("Its items are those of the whole trace that begin and end in it", arguments: 1...6, [true, false])
    func items(seed: UInt64, isCompact: Bool) throws {
        let path = directory.appending("trace")
        let events = RandomProcess(seed: seed, hasTasks: false).trace.events
        try TraceDirectory.write(events, to: path, isCompact: isCompact) { "s\($0)" }
        try expectSameItems(path, runUp: 20_000)
    }

    @Test("Packets that are passed over side by side have what they have in a row", arguments: 1...8, [true, false])
    func sideBySide(seed: UInt64, isCompact: Bool) throws {
        let path = directory.appending("trace")
        try TraceDirectory.write(RandomProcess(seed: seed).trace.events, to: path, isCompact: isCompact) { "s\($0)" }
        let trace = try CTFTrace(path: path)
        var random = SeededGenerator(seed: seed)
        let roles: [RecordRole] = trace.eventClasses.map { eventClass in
            switch eventClass.name {
            case "dispatch:item_begin", "dispatch:callout_begin", "dispatch:sync_begin": .opening
            case "dispatch:item_end", "dispatch:callout_end": .closing
            default: [.passing, .passing, .state, .name, .latest, .waiting].randomElement(using: &random)!
            }
        }
        var places = 0
        for file in trace.files {
            let index = file.packets(of: trace.plan)
            let packets = index.packets.map { index.range(of: $0.offset, in: file) }
            let scan = PacketScan(file, trace.plan, roles: roles, isOfOneThread: index.isOfOneThread)
            let inARow = scan.run(0..<file.count)
            // The results of several packets must be combined in the order of the stream.
            let sideBySide = scan.run(packets)
            #expect(sideBySide.count == packets.count)
            var found = PacketScan.Found()
            for part in sideBySide { found.append(part) }
            let isEqual = "\(found)" == "\(inARow)"
            #expect(isEqual, "\(file.name)")
            places += found.places.count + found.open.count + (found.latest == nil ? 0 : 1)
        }
        #expect(places > 0)
    }

    private static let corpus = URL(filePath: Package.root + "/traces")

    @Test(
        "So they are in recorded traces",
        arguments: ["1.0/news-service-before", "1.1/readers-writer", "1.3/news-service-before", "1.3/order-example"])
    func recorded(name: String) throws {
        try expectSameItems(Self.corpus.appending(path: "\(name)/trace").path, runUp: 1_000_000)
    }

    private func expectSameItems(_ path: String, runUp: Int64) throws {
        let whole = try whole(path)
        let full = try read(path, nil)
        let length = Double(whole.upperBound - whole.lowerBound)
        let begun = Dictionary(
            full.log.items.map { (Submission($0.id, $0.enqueuedAt), $0.beganAt) },
            uniquingKeysWith: { first, _ in first })
        var compared = 0
        for part in Self.parts {
            let window = TraceWindow(
                begin: whole.lowerBound + Int64(length * part.from),
                end: whole.lowerBound + Int64(length * part.to), of: whole)
            for window in [
                window, window.with(runUp: runUp, submissionReach: 1 << 20), window.with(runUp: 0, submissionReach: 0),
            ] {
                let expected = facts(full, window)
                let taken = try read(path, window)
                let found = facts(taken, window)
                compared += expected.count
                let begin = Timestamp(nanoseconds: window.begin - whole.lowerBound)
                let phantoms = taken.log.pending.filter {
                    begun[Submission($0.id, $0.enqueuedAt)].map { $0 < begin } ?? false
                }
                #expect(phantoms.isEmpty, "wait although they have begun")
                #expect(
                    found == expected,
                    """
                    \(part), run-up \(window.begin - window.runUpBegin): \(expected.count) items, of which \
                    \(expected.filter { found[$0.key] != $0.value }.keys.sorted { $0.began < $1.began }.prefix(3)) \
                    became \(found.filter { expected[$0.key] != $0.value }.keys
                        .sorted { $0.began < $1.began }.prefix(3))
                    """)
            }
        }
        // Two empty results would be equal, too.
        #expect(compared > 0)
    }
}

extension TraceWindow {
    /// The same window with another run-up.
    fileprivate func with(runUp: Int64, submissionReach: Int) -> TraceWindow {
        var window = self
        window.runUpBegin = max(whole.lowerBound, begin - runUp)
        window.submissionReach = submissionReach
        return window
    }
}
