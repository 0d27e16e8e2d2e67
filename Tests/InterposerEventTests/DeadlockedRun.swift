import DispatchModel
import Foundation
import TestSupport
import Testing

/// The deadlocked program, recorded until both waits are in the trace, and killed.
struct DeadlockedRun {
    struct Block {
        let waiter: UInt32
        let level: UInt64
        let holder: UInt32
    }

    private let directory = TemporaryDirectory()
    private let records: [InterposedRun.Record]

    init() throws {
        let trace = directory.appending("trace")
        let process = try Program.queuescope.start(
            ["record", "-o", trace, "--", Program.built("InterposerProbe").path, "deadlock"],
            output: directory.appending("out"), errors: directory.appending("err"))
        // If the waits are never recorded, the process ends after its time limit.
        while process.isRunning, Self.blocks(in: (try? InterposedRun.records(of: trace)) ?? []).count < 2 {
            usleep(20_000)
        }
        // Sent to the program: `record` forwards it and finalises the trace.
        process.terminate()
        process.waitUntilExit()
        records = try InterposedRun.records(of: trace)
    }

    var blocks: [Block] { Self.blocks(in: records) }

    /// Number of frames of each stack that belongs to the code of a sync.
    var stackDepths: [Int] {
        var frames: [UInt32: Int] = [:]
        for case .stack(let stack) in records.map(\.event) { frames[stack.stack] = stack.frames.count }
        return records.compactMap { record in
            if case .codeStack(let event) = record.event { frames[event.stack] ?? 0 } else { nil }
        }
    }

    private static func blocks(in records: [InterposedRun.Record]) -> [Block] {
        records.compactMap {
            switch $0.event {
            case .syncBlock(let event): Block(waiter: $0.tid, level: event.queue, holder: event.holderTid)
            case .syncWait(let event): Block(waiter: $0.tid, level: event.level, holder: event.holderTid)
            default: nil
            }
        }
    }

    func queue(_ label: String) throws -> UInt64 {
        let found = records.compactMap { record -> UInt64? in
            if case .queueCreate(let queue) = record.event, queue.label == label { queue.queue } else { nil }
        }
        return try #require(found.first)
    }
}
