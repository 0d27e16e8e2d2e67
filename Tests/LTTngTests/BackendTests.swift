import CTFReader
import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

/// Items per queue, and findings about queues, of a program whose work is the same in every run.
private struct Shape: Equatable {
    var items: [String: Int] = [:]
    var findings: Set<String> = []

    init(_ trace: String) throws {
        let analysis = try AnalysisSession().analyze(path: trace, observers: [])
        let model = analysis.model
        // The number of runs of libdispatch's manager queue depends on the duration of the run, so event loops are
        // excluded.
        let loops = Set(model.loops.map(\.queue))
        for queue in analysis.queues where queue.items > 0 && !loops.contains(queue.queue) {
            items[model[queue.queue].label, default: 0] += queue.items
        }
        // On a busy machine a thread may hold a lock of a library for long. Findings without a queue are excluded.
        findings = Set(
            analysis.findings.filter { !$0.queues.isEmpty }.map { finding in
                "\(finding.detector): \(finding.queues.map { model[$0].label }.joined(separator: ", "))"
            })
    }
}

@Suite("LTTng as the backend", .enabled(if: Program.obstacleToLTTng == nil, "\(Program.obstacleToLTTng ?? "")"))
struct BackendTests {
    @Test(
        "a session has the same queues, items and findings as the ring buffer's files, preloaded or linked",
        arguments: [
            ("LD_PRELOAD=$PRELOAD $BIN/PlainOrderExample", "PlainOrderExample"),
            ("LD_PRELOAD=$PRELOAD $BIN/PlainReadersWriter", "PlainReadersWriter"),
            ("$BIN/OrderExample", "OrderExample"),
        ])
    func sameAsRing(command: String, program: String) throws {
        let run = try LTTngRun(
            """
            export QUEUESCOPE_PROCESSORS=0
            lttng -n create s --output=$DIR/lttng && lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
            \(command) >$DIR/out || exit 2
            lttng -n stop && lttng -n destroy || exit 3
            QUEUESCOPE_BACKEND=ring QUEUESCOPE_TRACE=$DIR/ring \(command) || exit 4
            """)
        try #require(run.result.status == 0, "\(run.result)")
        let (lttng, ring) = (try Shape(run.trace("lttng")), try Shape(run.directory.appending("ring")))
        #expect(lttng == ring, "LTTng: \(lttng); ring: \(ring)")
        #expect(!lttng.items.isEmpty)
    }

    @Test("a session has the tasks, actors and loops of the ring buffer's files")
    func tasks() throws {
        let program = "LD_PRELOAD=$PRELOAD $BIN/ConcurrencyPrograms bank"
        let run = try LTTngRun(
            """
            lttng -n create s --output=$DIR/lttng && lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
            \(program) >$DIR/out || exit 2
            lttng -n stop && lttng -n destroy || exit 3
            QUEUESCOPE_BACKEND=ring QUEUESCOPE_TRACE=$DIR/ring \(program) || exit 4
            """)
        try #require(run.result.status == 0, "\(run.result)")
        let analyses = try [run.trace("lttng"), run.directory.appending("ring")].map {
            try AnalysisSession().analyze(path: $0, observers: [])
        }
        for analysis in analyses {
            #expect(analysis.model.taskTrack?.detail == .full)
            let bank = analysis.queues.first { analysis.model[$0.queue].label.hasSuffix(".Bank") }
            #expect(bank?.items == 6)
            #expect(analysis.quality.checks.allSatisfy { $0.passed }, "\(analysis.quality.checks)")
        }
        #expect(analyses[0].tasks?.count == analyses[1].tasks?.count)
    }

    @Test("a static executable is not recorded, and runs")
    func staticExecutable() throws {
        let program = try StaticProgram.build(
            "StaticExecutable", sources: ["InterposerProbe/main.swift"], options: ["-static-executable"])
        let run = try LTTngRun("\(program.path) free-sync")
        #expect(run.result.status == 0, "\(run.result)")
        #expect(run.result.errors.contains("the program is linked statically"), "\(run.result)")
    }

    @Test("the demo service's session has the findings of the ring buffer's files")
    func demoService() throws {
        let expected: Set = [
            "staircase-contention", "overlapping-handlers", "mutation-after-activation", "retarget-after-activation",
        ]
        // Two of the findings depend on timing, so up to three pairs of sessions are recorded.
        let sessions = try repeatedRecording(recordDemoService) { sessions in
            sessions.allSatisfy { $0.findings.isSuperset(of: expected) }
        }
        for session in sessions {
            #expect(session.findings.isSuperset(of: expected), "\(session.findings)")
        }
        let shapes = sessions.map(\.shape)
        // How often timers fire and how many connections one call of a handler accepts depend on the speed of the run.
        let counted = ["com.apple.main-thread", "news.database"]
        // Foundation may run an item on a root queue, also depending on the speed of the run.
        let queues = shapes.map { $0.items.keys.filter { !$0.hasPrefix("com.apple.root.") }.sorted() }
        #expect(queues[0] == queues[1])
        #expect(counted.map { shapes[0].items[$0] } == counted.map { shapes[1].items[$0] })
        #expect(shapes[0].items["news.database"] ?? 0 > 0)
    }

    private struct Session {
        let findings: Set<String>
        let shape: Shape
    }

    /// Records the demo service with LTTng, and then into the ring buffer's files.
    private func recordDemoService() throws -> [Session] {
        let run = try LTTngRun(
            """
            service="$BIN/NewsService --variant before"
            lttng -n create s --output=$DIR/lttng
            lttng -n enable-channel -u c --subbuf-size=4M --num-subbuf=4 || exit 1
            lttng -n enable-event -u -c c 'dispatch:*' && lttng -n start || exit 1
            $service >$DIR/out || exit 2
            lttng -n stop && lttng -n destroy || exit 3
            QUEUESCOPE_BACKEND=ring QUEUESCOPE_TRACE=$DIR/ring $service >$DIR/out || exit 4
            """)
        try #require(run.result.status == 0, "\(run.result)")
        return try [run.trace("lttng"), run.directory.appending("ring")].map {
            let findings = Set(try AnalysisSession().analyze(path: $0, observers: []).findings.map(\.detector))
            return Session(findings: findings, shape: try Shape($0))
        }
    }

    @Test("babeltrace2 lists the same values for the events of a session, its snapshots and its rotated pieces")
    func babeltrace() throws {
        let run = try LTTngRun(
            LTTngRun.stepping + """
                $QUEUESCOPE record --backend lttng -o $DIR/whole -- $BIN/PlainReadersWriter || exit 1
                begin_session() { lttng -n create "$@" || exit 2
                    lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 2; }
                begin_session rotated --output=$DIR/rotated; begin
                step 300; lttng -n rotate; step 300; lttng -n rotate; step 300; lttng -n destroy || exit 3
                begin_session snapshots --snapshot --output=$DIR/snapshots
                step 300; lttng -n snapshot record; step 300; lttng -n snapshot record || exit 4
                lttng -n destroy; end
                number=0
                for metadata in $(find $DIR/whole $DIR/rotated $DIR/snapshots -name metadata); do
                    number=$((number + 1)); folder=$(dirname $metadata)
                    babeltrace2 $folder >$DIR/babeltrace.$number || exit 5
                    $QUEUESCOPE events $folder >$DIR/queuescope.$number || exit 6
                done
                """)
        try #require(run.result.status == 0, "\(run.result)")
        func lines(_ name: String) throws -> [Substring] {
            try String(contentsOfFile: run.directory.appending(name), encoding: .utf8).split(separator: "\n")
        }
        // babeltrace2 2.0.4 prints an empty string as the string of an earlier record when it reuses that record's
        // memory.
        func hidingEmptyTexts(of line: Substring, _ ours: Substring) -> String {
            var line = String(line)
            for field in ours.matches(of: /(\w+) = ""/) {
                line.replace(try! Regex("\\b\(field.output.1) = \"[^\"]*\""), with: "\(field.output.1) = \"\"")
            }
            return line
        }
        // One whole trace, three rotated chunks, two snapshots. The first steps of a session may run before the
        // recorder has received the start of the session.
        var compared = 0
        for number in 1...6 {
            let (ours, theirs) = (try lines("queuescope.\(number)"), try lines("babeltrace.\(number)"))
            compared += ours.count
            #expect(!ours.isEmpty && ours.count == theirs.count)
            let different = zip(ours, theirs).first { $0 != $1 && String($0) != hidingEmptyTexts(of: $1, $0) }
            #expect(different == nil, "\(number)")
        }
        #expect(compared > 1_000)
    }

    @Test("filters can use numbers and strings, and event name patterns and log levels select events")
    func filters() throws {
        let run = try LTTngRun(
            """
            events() { lttng -n create $1 --output=$DIR/$1; shift
                lttng -n enable-event -u "$@" && lttng -n start || exit 1
                LD_PRELOAD=$PRELOAD $BIN/PlainReadersWriter >/dev/null || exit 2
                lttng -n stop && lttng -n destroy || exit 3; }
            events families 'dispatch:queue_*,dispatch:sync_*'
            events text 'dispatch:queue_*' --filter='label == "readers.writer"'
            events number 'dispatch:item_enqueue' --filter='kind == 0 && item > 0 && vpid > 1'
            events definitions 'dispatch:*' --loglevel=INFO
            """)
        try #require(run.result.status == 0, "\(run.result)")
        func names(_ trace: String) throws -> [String: Int] {
            let trace = try CTFTrace(path: run.trace(trace))
            var names: [String: Int] = [:]
            _ = try trace.forEachEvent { names[trace.eventClasses[$0.classIndex].name, default: 0] += 1 }
            return names
        }
        #expect(try names("families").keys.allSatisfy { $0.contains(/^dispatch:(queue|sync)_/) })
        #expect(try names("text") == ["dispatch:queue_create": 1])
        #expect(try names("number") == ["dispatch:item_enqueue": 150])
        let definitions = try names("definitions")
        #expect(definitions["dispatch:queue_create"] == 1)
        #expect(definitions["dispatch:code_symbol"] ?? 0 > 0)
        #expect(definitions["dispatch:item_enqueue"] == nil)
    }

    @Test("without QUEUESCOPE_BACKEND=lttng, a session for all events does not load LTTng; the program writes files")
    func unasked() throws {
        let run = try LTTngRun(
            """
            unset QUEUESCOPE_BACKEND
            lttng -n create s --output=$DIR/lttng && lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
            LD_DEBUG=files LD_DEBUG_OUTPUT=$DIR/loaded LD_PRELOAD=$PRELOAD $BIN/PlainOrderExample || exit 2
            QUEUESCOPE_TRACE=$DIR/own LD_DEBUG=files LD_DEBUG_OUTPUT=$DIR/loaded $BIN/OrderExample || exit 3
            ls $DIR/loaded.* && ! grep -q liblttng $DIR/loaded.* || exit 4
            $QUEUESCOPE record -o $DIR/recorded -- $BIN/PlainOrderExample || exit 5
            lttng -n stop; lttng -n destroy
            """)
        try #require(run.result.status == 0, "\(run.result)")
        for name in ["own", "recorded"] {
            #expect(FileManager.default.fileExists(atPath: run.directory.appending(name) + "/metadata"))
        }
        #expect(LTTngRun.traces(below: run.directory.appending("lttng")) == [])
    }

    @Test("a program that links LTTng records into the active session")
    func programWithLTTng() throws {
        let run = try LTTngRun(
            """
            unset QUEUESCOPE_BACKEND
            lttng -n create s --output=$DIR/lttng && lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 1
            LD_PRELOAD="$PRELOAD liblttng-ust.so.1" $BIN/PlainOrderExample || exit 2
            lttng -n stop && lttng -n destroy || exit 3
            """)
        try #require(run.result.status == 0, "\(run.result)")
        #expect(try !Shape(run.trace("lttng")).items.isEmpty)
    }

    @Test("without a session daemon, a request for LTTng gives one line of error")
    func noDaemon() throws {
        let run = try LTTngRun(
            "QUEUESCOPE_TRACE=$DIR/none $BIN/OrderExample 2>$DIR/errors || exit 1", startsDaemon: false)
        try #require(run.result.status == 0, "\(run.result)")
        #expect(!FileManager.default.fileExists(atPath: run.directory.appending("none") + "/metadata"))
        let errors = try String(contentsOfFile: run.directory.appending("errors"), encoding: .utf8).split(
            separator: "\n")
        #expect(errors.count == 1)
        #expect(errors.first?.contains("no LTTng session daemon runs") == true, "\(errors)")
    }

    @Test(
        "record takes the backend from the environment, records the program only, and says in one line what is missing")
    func record() throws {
        let run = try LTTngRun(
            """
            $QUEUESCOPE record -o $DIR/named -- $BIN/PlainOrderExample || exit 1
            lttng -n create mine --output=$DIR/mine || exit 2
            $QUEUESCOPE record --session mine -- $BIN/PlainOrderExample || exit 3
            lttng -n destroy mine || exit 4
            lttng -n create running --output=$DIR/running || exit 5
            lttng -n enable-event -u 'dispatch:*' && lttng -n start || exit 5
            $QUEUESCOPE record --session running -- $BIN/PlainOrderExample 2>$DIR/goes-on || exit 6
            lttng -n destroy running || exit 7
            $QUEUESCOPE record --session absent -- touch $DIR/ran 2>$DIR/errors
            [ $? -eq 69 ] && [ ! -e $DIR/ran ] || exit 8
            $QUEUESCOPE record -o /proc/nowhere -- touch $DIR/ran 2>>$DIR/errors
            [ $? -eq 73 ] && [ ! -e $DIR/ran ] || exit 9
            """)
        try #require(run.result.status == 0, "\(run.result)")
        for name in ["named", "mine", "running"] {
            let fleet = try AnalysisSession().analyzeFleet(path: run.directory.appending(name))
            #expect(fleet.descriptions.map(\.name) == ["PlainOrderExamp"])
        }
        let goesOn = try String(contentsOfFile: run.directory.appending("goes-on"), encoding: .utf8)
        #expect(goesOn.contains("LTTng's session running continues. After it is stopped"), "\(goesOn)")
        let errors = try String(contentsOfFile: run.directory.appending("errors"), encoding: .utf8)
        #expect(errors.split(separator: "\n").count == 2 && errors.contains("'absent' not found"), "\(errors)")
    }
}
