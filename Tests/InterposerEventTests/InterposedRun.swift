import DispatchModel
import Foundation
import TestSupport
import Testing

/// A run of InterposerProbe, which does not use Queuescope, under `queuescope record`, with all events in order.
struct InterposedRun {
    struct Record {
        let event: DispatchEvent
        let tid: UInt32
    }

    let directory = TemporaryDirectory()
    let result: Program.Result
    let records: [Record]

    init(_ scenario: String, options: [String] = []) throws {
        let trace = directory.appending("trace")
        result = try Program.queuescope.run(
            ["record", "-o", trace] + options + ["--", Program.built("InterposerProbe").path, scenario])
        records = try Self.records(of: trace)
    }

    static func records(of trace: String) throws -> [Record] {
        var records: [Record] = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, tid in
            records.append(Record(event: event, tid: tid))
        }
        return records
    }

    /// The serial number of the queue with this label.
    func queue(_ label: String) throws -> UInt64 {
        for record in records {
            switch record.event {
            case .queueCreate(let queue) where queue.label == label: return queue.queue
            case .queueState(let queue) where queue.label == label: return queue.queue
            default: continue
            }
        }
        throw MissingQueue(label: label)
    }

    struct MissingQueue: Error { let label: String }

    /// The number that the program printed after a word.
    func printed(_ word: String) throws -> UInt32 {
        let line = try #require(result.lines.first { $0.hasPrefix(word + " ") })
        return try #require(UInt32(line.dropFirst(word.count + 1)))
    }

    /// The events of one queue's items, in order, as event names with distinguishing details.
    func story(of queue: UInt64) -> [String] {
        var story: [String] = []
        var items: Set<UInt64> = []
        var open: [UInt32: [Bool]] = [:]  // by thread, for each open callout: whether it belongs to the queue
        for record in records {
            switch record.event {
            case .itemEnqueue(let event) where event.queue == queue:
                items.insert(event.item)
                story.append("enqueue \(event.kind)")
            case .itemBarrier(let event) where items.contains(event.item): story.append("barrier")
            case .itemDelay(let event) where items.contains(event.item): story.append("delay")
            case .itemCancel(let event) where items.contains(event.item): story.append("cancel")
            case .calloutBegin(let event):
                open[record.tid, default: []].append(items.contains(event.item))
                if items.contains(event.item) { story.append("begin") }
            case .syncBegin(let event):
                open[record.tid, default: []].append(event.queue == queue)
                if event.queue == queue { story.append(event.barrier == 0 ? "sync" : "barrier sync") }
            case .calloutEnd: if open[record.tid]?.popLast() == true { story.append("end") }
            case .syncEnter(let event) where event.queue == queue:
                items.insert(event.item)
                story.append("enter \(event.kind)")
            case .syncWait(let event) where event.queue == queue:
                items.insert(event.item)
                story.append("late wait")
            case .syncBlock(let event) where items.contains(event.item): story.append("block")
            case .syncHandoff(let event) where items.contains(event.item): story.append("handoff")
            case .itemBegin(let event) where items.contains(event.item): story.append("item begin")
            case .itemEnd(let event) where items.contains(event.item): story.append("item end")
            case .syncReturn(let event) where items.contains(event.item): story.append("return")
            default: continue
            }
        }
        return story
    }

    /// The payloads of all events of one class.
    func all<Payload>(_ payload: (DispatchEvent) -> Payload?) -> [Payload] { records.compactMap { payload($0.event) } }
}
