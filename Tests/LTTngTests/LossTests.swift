import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("What LTTng loses", .enabled(if: Program.obstacleToLTTng == nil, "\(Program.obstacleToLTTng ?? "")"))
struct LossTests {
    @Test("a small buffer: report and events say how many events are missing and when, and which findings that touches")
    func smallBuffer() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                lttng -n create s --output=$DIR/trace
                # One megabyte at a time is more than the consumer takes in between.
                lttng -n enable-channel -u c --subbuf-size=4K --num-subbuf=2 --read-timer=2000000 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; step 20000
                lttng -n stop && lttng -n destroy || exit 2
                end || exit 3
                trace=$(dirname $(find $DIR/trace -name metadata))
                $QUEUESCOPE report $trace || exit 4
                $QUEUESCOPE events $trace >$DIR/events 2>$DIR/losses || exit 5
                babeltrace2 $trace >$DIR/babeltrace 2>$DIR/warnings || exit 6
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let analysis = try Analyzer.analyze(path: run.trace("trace"), observers: [])
        #expect(analysis.trace.discarded > 1000)
        #expect(analysis.trace.missing.allSatisfy { $0.isTimed })
        #expect(analysis.trace.missing.reduce(0) { $0 + $1.count } == analysis.trace.discarded)
        #expect(run.result.output.contains(/missing +[0-9,]+ events,/), "\(run.result.output)")
        for finding in analysis.findings {
            let isTouched = analysis.trace.missing.contains { $0.touches(finding.begin, finding.end) }
            #expect((finding.caveat?.contains("discarded") ?? false) == isTouched)
        }
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: run.directory.appending(name), encoding: .utf8)
        }
        let theirs = try text("warnings").matches(of: /discarded (\d+) events? between \[(\S+)\] and \[(\S+)\]/)
        let ours = try text("losses").matches(of: /(\d+) event records? w\w+ discarded between (\S+) and (\S+)/)
        #expect(!ours.isEmpty)
        #expect(ours.map { "\($0.1) \($0.2) \($0.3)" }.sorted() == theirs.map { "\($0.1) \($0.2) \($0.3)" }.sorted())
        let losses = try text("losses")
        #expect(losses.contains("the recorder discarded \(analysis.trace.discarded) event records"), "\(losses)")
    }

    @Test("a full disk: the program runs on, and what there is can be read or is refused with a sentence")
    func fullDisk() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                mkdir $DIR/disk && mount -t tmpfs -o size=192k tmpfs $DIR/disk
                lttng -n create s --output=$DIR/disk/trace
                lttng -n enable-channel -u c --subbuf-size=64K --num-subbuf=4 && lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; for i in $(seq 10); do step 2000; done
                echo "$reply"
                lttng -n stop --no-wait; lttng -n destroy --no-wait
                end || exit 3
                for metadata in $(find $DIR/disk -name metadata); do
                    $QUEUESCOPE report $(dirname $metadata) || [ $? -eq 2 ] || exit 4
                done
                """)
        #expect(run.result.status == 0, "\(run.result)")
        #expect(run.result.output.contains("done 20000"))
    }

    @Test("a killed session daemon: the program runs on")
    func killedDaemon() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                lttng -n create s --output=$DIR/trace && lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
                begin; step 100
                lttng -n rotate || exit 2
                kill -9 $(cat /run/lttng/lttng-sessiond.pid)
                for i in $(seq 10); do step 1000; done
                echo "$reply"
                end || exit 3
                $QUEUESCOPE report $(dirname $(find $DIR/trace/archives -name metadata)) || exit 4
                """)
        #expect(run.result.status == 0, "\(run.result)")
        #expect(run.result.output.contains("done 10100"))
        #expect(run.result.output.contains("stepped.early"))
    }

    @Test("a program that forks: the child ends in peace and its events are not recorded")
    func fork() throws {
        // The program complains that a child which it starts by exec records: LTTng's sessions record every process.
        let run = try LTTngRun("$QUEUESCOPE record --backend lttng -o $DIR/trace -- $BIN/ForkProgram")
        let problems = run.result.lines.filter { $0.hasPrefix("problem") }
        #expect(problems == ["problem: the started child records"], "\(run.result)")
        let printed = try #require(run.result.output.firstMatch(of: /"signposts":(\d+)/)).output.1
        var signposts = 0
        _ = try DispatchTrace(path: run.trace("trace")).forEachEvent { event, _, _ in
            if case .signpostEvent = event { signposts += 1 }
        }
        #expect(signposts == Int(printed))
    }
}
