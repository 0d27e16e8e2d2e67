import CTFReader
import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

/// Sessions that start after the program, and sessions of which only a part is read.
@Suite("Parts of LTTng's traces", .enabled(if: Program.obstacleToLTTng == nil, "\(Program.obstacleToLTTng ?? "")"))
struct SessionTests {
    private func labels(_ trace: String) throws -> [String: Int] {
        let analysis = try AnalysisSession().analyze(path: trace, observers: [])
        let used = analysis.queues.filter { $0.items > 0 }
        return Dictionary(used.map { (analysis.model[$0.queue].label, $0.items) }) { $0 + $1 }
    }

    private static func count(_ name: String, in path: String) throws -> Int {
        let trace = try CTFTrace(path: path)
        var count = 0
        _ = try trace.forEachEvent { if trace.eventClasses[$0.classIndex].name == name { count += 1 } }
        return count
    }

    @Test("a session that starts late has the queues that were created before it, with their labels")
    func late() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                begin; step 5
                lttng -n create s --output=$DIR/trace
                lttng -n enable-channel -u c --switch-timer=20000 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                until_true has_after_step $DIR/trace
                step 100
                lttng -n stop && lttng -n destroy || exit 2
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        #expect(try labels(run.trace("trace"))["stepped.early"] ?? 0 >= 100)
    }

    @Test(
        "a session with a user-space and a kernel trace: the report has the context switches of the program's threads")
    func kernelTrace() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                lttng -n create s --output=$DIR/trace
                lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
                begin; step 200
                lttng -n stop && lttng -n destroy || exit 2
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let userspace = try CTFTrace(path: run.trace("trace"))
        let clock = userspace.clock
        var kernel = LTTngTrace(
            .kernel, host: userspace.environment["hostname"]?.stringValue ?? "", identity: 2, clock: clock.uuid,
            clockOffset: clock.offsetSeconds * 1_000_000_000 + clock.offsetCycles)
        // Each thread gives up its processor for a third of the time between two of its events.
        var last: [UInt32: UInt64] = [:]
        var switches = 0
        let threadFields = userspace.eventClasses.map { $0.fields.firstIndex { $0.name == "vtid" } ?? -1 }
        _ = try userspace.forEachEvent { record in
            let tid = UInt32(record.unsigned(threadFields[record.classIndex]))
            let time = record.clockValue
            guard tid != 0 else { return }
            if let before = last[tid], time - before >= 3 {
                let third = (time - before) / 3
                kernel.sched(from: tid, state: 1, to: 0, at: before + third)
                kernel.wakeup(tid, at: before + third + 1)
                kernel.sched(from: 0, state: 0, to: tid, at: before + 2 * third)
                switches += 1
            }
            last[tid] = time
        }
        try #require(switches > 200)
        try kernel.write(to: run.directory.appending("trace/kernel"))
        let report = try Program.queuescope.run(["report", run.directory.appending("trace")])
        #expect(report.status == 0, "\(report.errors)")
        #expect(report.output.contains("context switches of every thread, from the kernel trace"), "\(report.output)")
        let listed = try Program.queuescope.run(["events", run.directory.appending("trace")])
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.lines.count { $0.contains(" sched_switch: ") } == 2 * switches)
    }

    @Test("a snapshot of an overwritten channel is readable alone, though its definitions were overwritten long ago")
    func snapshot() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                export QUEUESCOPE_STATEDUMP=0
                # Each processor has its own buffers, and only the processor in use overwrites them: use one processor.
                processor=$(grep -m1 Cpus_allowed_list /proc/self/status | grep -oE '[0-9]+' | head -1)
                taskset -cp $processor $$ >/dev/null || exit 6
                lttng -n create s --snapshot --output=$DIR/trace
                lttng -n enable-channel -u c --subbuf-size=16K --num-subbuf=4 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin
                for i in $(seq 20); do step 1000; done
                lttng -n snapshot record --name=without || exit 2
                lttng -n regenerate statedump || exit 3
                step 10
                has_labels() { lttng -n snapshot record --name=with >/dev/null || return
                    metadata=$(find $DIR/trace -path "*/with-*" -name metadata | tail -1)
                    babeltrace2 $(dirname $metadata) 2>/dev/null | grep -q "queue_state.*stepped.early"; }
                until_true has_labels
                lttng -n destroy || exit 4
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let traces = LTTngRun.traces(below: run.directory.appending("trace"))
        let without = try #require(traces.first { $0.contains("/without-") })
        #expect(try labels(without)["stepped.early"] == nil)
        let with = try #require(traces.last { $0.contains("/with-") })
        #expect(try labels(with)["stepped.early"] ?? 0 > 0)
    }

    @Test("definitions are repeated before new events overwrite them")
    func traffic() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                export QUEUESCOPE_STATEDUMP=3600
                lttng -n create s --snapshot --output=$DIR/trace
                lttng -n enable-channel -u c --subbuf-size=256K --num-subbuf=4 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin
                for i in $(seq 20); do step 5000; done
                has_labels() { lttng -n snapshot record >/dev/null || return
                    metadata=$(ls -t $(find $DIR/trace -name metadata) | head -1)
                    babeltrace2 $(dirname $metadata) 2>/dev/null | grep -q "queue_state.*stepped.early"; }
                until_true has_labels
                lttng -n destroy || exit 4
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let snapshots = LTTngRun.traces(below: run.directory.appending("trace"))
        #expect(try snapshots.contains { try labels($0)["stepped.early"] ?? 0 > 0 })
    }

    @Test("definitions are repeated periodically, for rotated chunks and snapshots")
    func periodic() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                export QUEUESCOPE_STATEDUMP=0.05
                lttng -n create s --output=$DIR/trace
                lttng -n enable-channel -u c --switch-timer=20000 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; step 10
                lttng -n rotate || exit 2
                until_true has_after_step "$DIR/trace/*-1"
                lttng -n rotate || exit 3
                lttng -n stop && lttng -n destroy || exit 4
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let chunks = LTTngRun.traces(below: run.directory.appending("trace/archives"))
        try #require(chunks.count >= 2, "\(chunks)")
        for chunk in chunks.prefix(2) { #expect(try labels(chunk)["stepped.early"] ?? 0 > 0, "\(chunk)") }
        // Each step ends with a sync that waits, so it records a stack.
        for event in ["dispatch:code_symbol", "dispatch:stack", "dispatch:code_stack"] {
            #expect(try Self.count(event, in: chunks[1]) > 0, "\(event)")
        }
    }
}
