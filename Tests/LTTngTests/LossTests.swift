import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Losses of LTTng", .enabled(if: Program.obstacleToLTTng == nil, "\(Program.obstacleToLTTng ?? "")"))
struct LossTests {
    @Test("a small buffer: report and events show how many events are missing, when, and which findings are affected")
    func smallBuffer() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                lttng -n create s --output=$DIR/trace
                # One step writes a megabyte, more than the consumer daemon reads in that time.
                lttng -n enable-channel -u c --subbuf-size=4K --num-subbuf=2 --read-timer=2000000 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; step 20000
                lttng -n stop && lttng -n destroy || exit 2
                end || exit 3
                trace=$(dirname $(find $DIR/trace -name metadata))
                $QUEUESCOPE report $trace || exit 4
                $QUEUESCOPE events $trace >$DIR/events 2>$DIR/losses || exit 5
                babeltrace2 $trace >$DIR/babeltrace 2>$DIR/warnings || exit 6
                """)
        try #require(run.result.status == 0, "\(run.result)")
        let analysis = try AnalysisSession().analyze(path: run.trace("trace"), observers: [])
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
        let losses = try text("losses").replacing(",", with: "")
        let ours = losses.matches(of: /(\d+) event records? w\w+ discarded between (\S+) and (\S+)/)
        #expect(!ours.isEmpty)
        #expect(ours.map { "\($0.1) \($0.2) \($0.3)" }.sorted() == theirs.map { "\($0.1) \($0.2) \($0.3)" }.sorted())
        #expect(losses.contains("the recorder discarded \(analysis.trace.discarded) event records"), "\(losses)")
    }

    @Test("a full disk: the program continues, and the report states where the recorded data ends")
    func fullDisk() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                mkdir $DIR/disk && mount -t tmpfs -o size=1m tmpfs $DIR/disk
                lttng -n create s --output=$DIR/disk/trace
                lttng -n enable-channel -u c --subbuf-size=64K --num-subbuf=4 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; step 500
                lttng -n rotate || exit 2
                for i in $(seq 20); do step 2000; done
                echo "$reply"
                lttng -n stop --no-wait; lttng -n destroy --no-wait
                end || exit 3
                until_true test -d $DIR/disk/trace/archives
                $QUEUESCOPE report $DIR/disk/trace || exit 4
                """)
        #expect(run.result.status == 0, "\(run.result)")
        let output = run.result.output
        #expect(output.contains("done 40500"))
        #expect(output.contains("stepped.early"))
        // The conditions are also equal if the disk was full exactly at the end of a packet: then both are false.
        #expect(
            output.contains("but the file has only") == output.contains(/missing +1 packet, after/), "\(output)")
    }

    @Test("a disk that is full before the first write is reported in one sentence")
    func fullDiskAtOnce() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                mkdir $DIR/disk && mount -t tmpfs -o size=192k tmpfs $DIR/disk
                lttng -n create s --output=$DIR/disk/trace
                lttng -n enable-channel -u c --subbuf-size=64K --num-subbuf=4 || exit 1
                lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
                begin; for i in $(seq 10); do step 2000; done
                echo "$reply"
                lttng -n stop --no-wait; lttng -n destroy --no-wait
                end || exit 3
                $QUEUESCOPE report $(dirname $(find $DIR/disk -name metadata)); echo "report $?"
                """)
        #expect(run.result.output.contains("done 20000"))
        #expect(run.result.output.contains("report 2"), "\(run.result)")
        #expect(run.result.errors.contains("the disk was full"), "\(run.result)")
    }

    @Test(
        "a killed session daemon: the program continues, written data is readable, the report names what is not")
    func killedDaemon() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                lttng -n create s --output=$DIR/trace || exit 1
                lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
                begin; step 100
                lttng -n rotate || exit 2
                step 100
                kill -9 $(cat /run/lttng/lttng-sessiond.pid)
                for i in $(seq 10); do step 1000; done
                echo "$reply"
                end || exit 3
                $QUEUESCOPE report $DIR/trace || exit 4
                # The files of a session daemon that was killed before it wrote the metadata.
                metadata=$(find $DIR/trace -name metadata -not -path '*/archives/*')
                head -c 37 $metadata | tee $DIR/head >/dev/null
                printf '\\x28\\x01\\x00\\x00\\x28\\x01\\x00\\x00' |
                    dd of=$DIR/head bs=1 seek=24 conv=notrunc 2>/dev/null
                cp $DIR/head $metadata
                $QUEUESCOPE report $DIR/trace >$DIR/left-out || exit 5
                """)
        #expect(run.result.status == 0, "\(run.result)")
        #expect(run.result.output.contains("done 10200"))
        #expect(run.result.output.contains("stepped.early"))
        let leftOut = try String(contentsOfFile: run.directory.appending("left-out"), encoding: .utf8)
        #expect(leftOut.contains("stepped.early"))
        #expect(leftOut.contains(/A trace is\s+left out/) && leftOut.contains(/metadata\s+is\s+empty/), "\(leftOut)")
    }

    @Test("a program that forks: the child ends normally and its events are not recorded")
    func fork() throws {
        // The program prints a problem if a child that it starts by exec records.
        let run = try LTTngRun("$QUEUESCOPE record --backend lttng -o $DIR/trace -- $BIN/ForkProgram")
        let problems = run.result.lines.filter { $0.hasPrefix("problem") }
        #expect(problems == [], "\(run.result)")
        let printed = try #require(run.result.output.firstMatch(of: /"signposts":(\d+)/)).output.1
        var signposts = 0
        _ = try DispatchTrace(path: run.trace("trace")).forEachEvent { event, _, _ in
            if case .signpostEvent = event { signposts += 1 }
        }
        #expect(signposts == Int(printed))
    }
}
