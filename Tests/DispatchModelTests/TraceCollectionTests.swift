import DispatchModel
import Foundation
import TestSupport
import Testing

/// Directories with several traces: the process of each event, and the order of the events.
@Suite("Several traces at a path") struct TraceCollectionTests {
    private let directory = TemporaryDirectory()

    /// `host:pid@time event` of every event, in the order of delivery; kernel events have the kind in front.
    private func log(_ path: String) throws -> (lines: [String], summary: TraceCollection.Summary) {
        let collection = try TraceCollection(path: path)
        var processes: [TracedProcess] = []
        var lines: [String] = []
        let origin: Int64 = 1_600_000_000_000_000_000
        let summary = try collection.forEachEvent(
            begin: { processes.append($0) },
            kernel: { event, time, process in lines.append("\(processes[process].pid)@\(time - origin) \(event)") }
        ) { records in
            let process = processes[records.process]
            records.forEach { event, time, tid in
                let name = "\(event)".prefix { $0 != "(" }
                lines.append("\(process.host):\(process.pid)@\(time - origin) \(name) \(tid)")
            }
        }
        return (lines, summary)
    }

    @Test("One stream of records of several processes gives a process for each, whatever the directory's depth")
    func buffersPerUser() throws {
        var trace = LTTngTrace(.userspace, host: "box", identity: 1)
        trace.queue(1, "app.state", at: 10, pid: 7, tid: 71)
        trace.queue(1, "app.state", at: 20, pid: 8, tid: 81)
        trace.item(5, on: 1, enqueued: 30, begin: 40, end: 50, pid: 7, tid: 72, from: 71, stream: 1)
        try trace.write(to: directory.appending("session/ust/uid/1000/64-bit"))
        let (lines, summary) = try log(directory.appending("session"))
        #expect(
            lines == [
                "box:7@10 queueCreate 71", "box:8@20 queueCreate 81", "box:7@30 itemEnqueue 71",
                "box:7@40 itemBegin 72", "box:7@50 itemEnd 72",
            ])
        #expect(summary.processes.map(\.pid) == [7, 8])
        #expect(summary.notes.isEmpty)
    }

    @Test("Machines are told apart by name, and their clocks agree by their offsets")
    func machines() throws {
        for (host, offset, time) in [
            ("box-1", 1_600_000_000_000_000_000, 100), ("box-2", 1_600_000_000_000_000_050, 20),
        ] {
            var trace = LTTngTrace(
                .userspace, host: host, identity: host == "box-1" ? 1 : 2, boot: host == "box-1" ? 1 : 2,
                clockOffset: Int64(offset))
            trace.queue(1, "app.state", at: UInt64(time), pid: 7, tid: 70)
            try trace.write(to: directory.appending("\(host)/services-20261121/ust/uid/0/64-bit"))
        }
        let (lines, summary) = try log(directory.path)
        #expect(lines == ["box-2:7@70 queueCreate 70", "box-1:7@100 queueCreate 70"])
        #expect(summary.processes.map(\.host) == ["box-2", "box-1"])
    }

    @Test("Pieces of a rotated session are one trace: the process goes on, and its losses are counted once")
    func rotated() throws {
        for piece in 0..<3 {
            var trace = LTTngTrace(.userspace, host: "box", identity: 1)
            trace.firstSequenceNumber = UInt64(piece)
            trace.discarded = UInt64(piece * 2)
            trace.queue(UInt32(piece + 1), "app.\(piece)", at: UInt64(10 + piece), pid: 7, tid: 70)
            try trace.write(to: directory.appending("archives/20261121-\(piece)/ust/uid/0/64-bit"))
        }
        let (lines, summary) = try log(directory.path)
        #expect(lines.count == 3)
        #expect(summary.processes.count == 1)
        #expect(summary.total.discarded == 4)
        #expect(summary.outcomes[0].discarded == 4)
    }

    @Test("Processes say their names, and another program with the same id is another process")
    func names() throws {
        var trace = LTTngTrace(.userspace, host: "box", identity: 1)
        trace.process(7, "news", at: 10)
        trace.queue(1, "app", at: 11, pid: 7, tid: 70)
        trace.process(7, "news", at: 12)
        trace.process(7, "cache", at: 20)
        trace.queue(1, "app", at: 21, pid: 7, tid: 70)
        try trace.write(to: directory.appending("ust"))
        try trace.write(to: directory.appending("again"))
        let processes = try log(directory.path).summary.processes
        #expect(processes.map(\.description) == ["news (pid 7) on box", "cache (pid 7) on box"])
        #expect(processes.map(\.processors) == [4, 4])
    }

    @Test("A packet that two snapshots have is delivered once, whichever is read first")
    func overlappingSnapshots() throws {
        // The second snapshot, whose directory comes first by name, begins with the packet of the first one.
        for (name, hasMore) in [("snapshot-2", false), ("snapshot-10", true)] {
            var trace = LTTngTrace(.userspace, host: "box", identity: 1)
            trace.queue(1, "app", at: 10, pid: 7, tid: 70)
            if hasMore { trace.queue(2, "app.second", at: 20, stream: 1, pid: 7, tid: 70) }
            try trace.write(to: directory.appending("\(name)/ust/uid/0/64-bit"))
        }
        let (lines, summary) = try log(directory.path)
        #expect(lines == ["box:7@10 queueCreate 70", "box:7@20 queueCreate 70"])
        #expect(summary.processes.count == 1)
    }

    @Test("Before a stream's overwritten begin only definitions count, which come at once when the trace is whole")
    func overwrittenBegin() throws {
        // stream 0   ├ queue ── enqueue ── begin ── end ─────────────────
        // stream 1   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░├ enqueue, begin, end
        var trace = LTTngTrace(.userspace, host: "box", identity: 1)
        trace.firstSequenceNumber = 5
        trace.queue(1, "app", at: 10, pid: 7, tid: 70)
        trace.item(5, on: 1, enqueued: 20, begin: 30, end: 60, pid: 7, tid: 71, from: 70)
        trace.item(6, on: 1, enqueued: 50, begin: 61, end: 62, pid: 7, tid: 72, from: 70, stream: 1)
        try trace.write(to: directory.appending("snapshot-1/ust/uid/0/64-bit"))
        var kernel = LTTngTrace(.kernel, host: "box", identity: 2)
        kernel.wakeup(70, at: 40)
        kernel.wakeup(70, at: 55)
        try kernel.write(to: directory.appending("snapshot-1/kernel"))
        let (lines, summary) = try log(directory.path)
        #expect(
            lines == [
                "box:7@50 queueCreate 70", "box:7@50 itemEnqueue 70", "7@55 woken(tid: 70)", "box:7@60 itemEnd 71",
                "box:7@61 itemBegin 72", "box:7@62 itemEnd 72",
            ])
        #expect(summary.outcomes[0].notes.count == 1)
        #expect(
            summary.outcomes[0].notes.first
                == "This is the end of a longer recording: earlier events were overwritten, except 2 events, which are "
                + "ignored.")
        #expect(try TraceCollection(path: directory.path).soleTrace == nil)
    }

    @Test("A buffer that was overwritten between two snapshots lacks packets between them, told once")
    func gapBetweenSnapshots() throws {
        // The third snapshot contains the second one's packet again.
        for (snapshot, sequence) in [(1, 5), (2, 9), (3, 9)] {
            var trace = LTTngTrace(.userspace, host: "box", identity: 1)
            trace.firstSequenceNumber = UInt64(sequence)
            trace.queue(UInt32(sequence), "app", at: UInt64(sequence * 10), pid: 7, tid: 70)
            try trace.write(to: directory.appending("snapshot-\(snapshot)/ust/uid/0/64-bit"))
        }
        let (lines, summary) = try log(directory.path)
        #expect(lines == ["box:7@50 queueCreate 70", "box:7@90 queueCreate 70"])
        let missing = summary.outcomes[0].missing(since: 1_600_000_000_000_000_050)
        #expect(
            missing == [
                MissingEvents(
                    .packets, count: 3, begin: Timestamp(nanoseconds: 0), end: Timestamp(nanoseconds: 40))
            ])
    }

    @Test("The same process id in traces of different identity is a process each")
    func reusedIds() throws {
        for identity in 1...2 {
            var trace = LTTngTrace(.userspace, host: "box", identity: UInt8(identity))
            trace.queue(1, "app", at: UInt64(identity), pid: 7, tid: 70)
            try trace.write(to: directory.appending("\(identity)/ust"))
        }
        #expect(try log(directory.path).summary.processes.count == 2)
    }

    @Test("Switches of a kernel trace reach the process whose threads recorded events on that machine")
    func kernelTrace() throws {
        var user = LTTngTrace(.userspace, host: "box", identity: 1)
        user.queue(1, "app", at: 10, pid: 7, tid: 70)
        try user.write(to: directory.appending("ust/uid/0/64-bit"))
        var other = LTTngTrace(.userspace, host: "elsewhere", identity: 3, boot: 2)
        other.queue(1, "app", at: 11, pid: 9, tid: 90)
        try other.write(to: directory.appending("other/ust"))
        // The tracers of one boot measured different offsets of the same clock.
        var kernel = LTTngTrace(.kernel, host: "box", identity: 2, clockOffset: 1_600_000_000_000_000_900)
        kernel.sched(from: 70, state: 0, to: 0, at: 5)
        kernel.sched(from: 70, state: 1, to: 90, at: 20, processor: 1)
        kernel.wakeup(70, at: 30)
        kernel.sched(from: 0, state: 0, to: 70, at: 40)
        kernel.sched(from: 70, state: 0x100, to: 0, at: 50)
        try kernel.write(to: directory.appending("kernel"))
        let (lines, summary) = try log(directory.path)
        #expect(summary.notes.isEmpty)
        // Before its first event, the process of the thread is unknown.
        #expect(
            lines.filter { !$0.contains("queueCreate") } == [
                "7@20 switchedOut(tid: 70, isPreempted: false, processor: 1)", "7@30 woken(tid: 70)",
                "7@40 switchedIn(tid: 70, processor: 0)", "7@50 switchedOut(tid: 70, isPreempted: true, processor: 0)",
            ])
    }

    @Test("What cannot be read, or has no dispatch events, is left out with a note that names it")
    func leftOut() throws {
        var trace = LTTngTrace(.userspace, host: "box", identity: 1)
        trace.queue(1, "app", at: 10, pid: 7, tid: 70)
        try trace.write(to: directory.appending("good"))
        for name in ["bad", "empty"] {
            try FileManager.default.createDirectory(
                atPath: directory.appending(name), withIntermediateDirectories: true)
            let text =
                name == "bad"
                ? "nonsense" : "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { };"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.appending(name) + "/metadata"))
        }
        let (lines, summary) = try log(directory.path)
        #expect(lines.count == 1)
        #expect(summary.notes.count == 2)
        #expect(summary.notes.contains { $0.contains(directory.appending("bad")) })
        #expect(summary.notes.contains { $0.contains(directory.appending("empty")) })
    }

    @Test("A kernel trace alone is refused with what to do")
    func kernelOnly() throws {
        for name in ["a", "b"] {
            var kernel = LTTngTrace(.kernel, host: "box", identity: 2)
            kernel.wakeup(70, at: 30)
            try kernel.write(to: directory.appending(name))
        }
        let error = try #require(throws: DispatchTraceError.self) { try TraceCollection(path: directory.path) }
        #expect(error.code == .notADispatchTrace)
        #expect(error.description.contains(directory.path))
    }

    @Test("Of several processes one is named by id, name or machine; else the error lists them")
    func selectors() throws {
        let box = { (host: String, pid: UInt32, identity: UInt8) in
            var trace = LTTngTrace(.userspace, host: host, identity: identity, boot: identity)
            trace.queue(1, "app", at: UInt64(identity), pid: pid, tid: 70)
            return trace
        }
        try box("box-1", 7, 1).write(to: directory.appending("1"))
        try box("box-2", 7, 2).write(to: directory.appending("2"))
        try box("box-2", 8, 3).write(to: directory.appending("3"))
        let processes = try log(directory.path).summary.processes
        func choose(_ text: String?) throws -> Int {
            try ProcessSelector.choose(text.map { ProcessSelector($0) }, from: processes, path: "there").index
        }
        #expect(try choose("8") == 2)
        #expect(try choose("box-2:7") == 1)
        #expect(throws: DispatchTraceError.self) { try choose("7") }
        #expect(throws: DispatchTraceError.self) { try choose("box-1:8") }
        let unnamed = try #require(throws: DispatchTraceError.self) { try choose("") }
        #expect(unnamed.description.contains("'' matches "))
        let error = try #require(throws: DispatchTraceError.self) { try choose(nil) }
        #expect(error.code == .severalProcesses)
        #expect(error.description.contains("process 8 on box-2"))
        #expect(error.description.contains("--process"))
    }

    @Test("The outcomes of independent traces add up, and the earliest begin counts")
    func sumOfOutcomes() {
        let sum = ReadOutcome(of: [
            ReadOutcome(events: 2, discarded: 1, unknown: 3, beginUnixNanoseconds: 20, notes: ["first"]),
            ReadOutcome(events: 5, discarded: 4, beginUnixNanoseconds: 10, notes: ["second"]),
        ])
        #expect((sum.events, sum.discarded, sum.unknown, sum.beginUnixNanoseconds) == (7, 5, 3, 10))
        #expect(sum.notes == ["first", "second"])
        #expect(sum.missing == [MissingEvents(.events, count: 5)])
    }
}
