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
        let analysis = try Analyzer.analyze(path: trace, observers: [])
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
                lttng -n enable-channel -u c --switch-timer=20000 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                until_true has_after_step $DIR/trace
                step 100
                lttng -n stop && lttng -n destroy || exit 2
                end
                """)
        try #require(run.result.status == 0, "\(run.result)")
        #expect(try labels(run.trace("trace"))["stepped.early"] ?? 0 >= 100)
    }

    @Test("a snapshot of an overwritten channel is readable alone, though its definitions were overwritten long ago")
    func snapshot() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                export QUEUESCOPE_STATEDUMP=0
                # Each processor has its own buffers, and only the processor in use overwrites them: use one processor.
                taskset -cp $(grep -m1 Cpus_allowed_list /proc/self/status | grep -oE '[0-9]+' | head -1) $$ >/dev/null || exit 6
                lttng -n create s --snapshot --output=$DIR/trace
                lttng -n enable-channel -u c --subbuf-size=16K --num-subbuf=4 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin
                for i in $(seq 20); do step 1000; done
                lttng -n snapshot record --name=without || exit 2
                lttng -n regenerate statedump || exit 3
                step 10
                until_true sh -c 'lttng -n snapshot record --name=with >/dev/null && babeltrace2 $(dirname $(find $DIR/trace -path "*/with-*" -name metadata | tail -1)) 2>/dev/null | grep -q "queue_state.*stepped.early"'
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
                lttng -n enable-channel -u c --subbuf-size=256K --num-subbuf=4 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin
                for i in $(seq 20); do step 5000; done
                has_labels() { lttng -n snapshot record >/dev/null && babeltrace2 $(dirname $(ls -t $(find $DIR/trace -name metadata) | head -1)) 2>/dev/null | grep -q "queue_state.*stepped.early"; }
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
                lttng -n enable-channel -u c --switch-timer=20000 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
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
