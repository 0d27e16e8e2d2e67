import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct ActorHoppingTests {
    //   main   ├┤      ├┤      ├┤
    //   cache     ···├┤   ···├┤
    /// A task that switches between actors, with hops of `hop` µs and steps of `work` µs.
    private func trace(
        hops: Int, work: Double = 2, hop: Double = 20, tasks: Int = 1,
        between types: [String?] = ["App.Screen", "App.Cache"]
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actors = types.map { $0.map { trace.actor($0) } ?? 0 }
        var time = 10.0
        for _ in 0..<tasks {
            let task = trace.task(at: time)
            trace.begin(task, on: actors[0], thread: 2, at: time + 1)
            time += 3
            for count in 1...hops {
                let (from, to) = count % 2 == 1 ? (UInt32(2), UInt32(3)) : (3, 2)
                trace.hop(
                    task, to: actors[count % actors.count], from: from, at: time, begin: time + hop, thread: to,
                    code: "App/Screen.swift:5")
                time += hop + work
            }
            trace.finish(task, thread: hops % 2 == 1 ? 3 : 2, at: time)
            time += 100
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: ActorHopping.self, in: trace)
    }

    @Test("Steps shorter than the hop to them are reported, from 10 ms of hops on", arguments: [(501, 1), (490, 0)])
    func threshold(hops: Int, found: Int) throws {
        #expect(try findings(trace(hops: hops)).count == found)
    }

    //   task 1   ├┤···├┤···├┤  awaits ░░░░  ├┤···├┤···├┤      two chains of one task
    @Test("The finding counts tasks, not their chains of hops")
    func tasks() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actors = [trace.actor("App.Screen"), trace.actor("App.Cache")]
        let task = trace.task(at: 10)
        trace.begin(task, on: actors[0], thread: 2, at: 11)
        var time = 13.0
        for _ in 0..<2 {
            for count in 1...500 {
                let (from, to) = count % 2 == 1 ? (UInt32(2), UInt32(3)) : (3, 2)
                trace.hop(task, to: actors[count % 2], from: from, at: time, begin: time + 20, thread: to)
                time += 22
            }
            trace.suspend(task, for: .continuation, thread: 2, at: time)
            trace.resume(task, on: actors[0], thread: 4, at: time + 10)
            trace.begin(task, on: actors[0], thread: 2, at: time + 20)
            time += 30
        }
        trace.finish(task, thread: 2, at: time)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.hasPrefix("1 task switches between "))
        #expect(finding.measures.contains(.count("chains of hops", 2)))
    }

    //   one second   ├┤├┤├┤├┤├┤ 10 or 9 ms of hops ·········│├┤├┤ …
    @Test("Hops of less than 1 % of every second are not reported", arguments: [(500, 1), (490, 0)])
    func share(hops: Int, found: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actors = [trace.actor("App.Screen"), trace.actor("App.Cache")]
        for second in 0..<3 {
            var time = Double(second) * 1e6 + 10
            let task = trace.task(at: time)
            trace.begin(task, on: actors[0], thread: 2, at: time + 1)
            time += 3
            for count in 1...hops {
                let (from, to) = count % 2 == 1 ? (UInt32(2), UInt32(3)) : (3, 2)
                trace.hop(task, to: actors[count % 2], from: from, at: time, begin: time + 20, thread: to)
                time += 22
            }
            trace.finish(task, thread: 2, at: time)
        }
        #expect(try findings(trace).count == found)
    }

    @Test("Long steps, and one call with its return, are not reported")
    func silent() throws {
        #expect(try findings(trace(hops: 2000, work: 100)).isEmpty)
        #expect(try findings(trace(hops: 2, tasks: 1000)).isEmpty)
        #expect(try findings(trace(hops: 4, tasks: 1000)).count == 1)
    }

    //   worker  ├ 5 ms ┤          ├ 5 ms ┤      comes back without a hop
    //   cache            ···├┤
    @Test("Work between the hops counts if the task returns without a hop")
    func inlineReturn() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let cache = trace.actor("App.Cache")
        let task = trace.task(at: 1)
        trace.begin(task, thread: 2, at: 2)
        for turn in 0..<1000 {
            let at = 10 + Double(turn) * 6000
            trace.hop(task, to: cache, from: 2, at: at, begin: at + 20, thread: 2)
            trace.add(.taskSwitch(.init(executor: 0, code: 0)), at: at + 22, thread: 2)
        }
        trace.finish(task, thread: 2, at: 7_000_000)
        #expect(try findings(trace).isEmpty)
    }

    @Test(
        "The advice names the task's own executor as the caller, and never calls the global executor",
        arguments: [
            (["App.Screen", "App.Cache"], "the actor App.Cache once for all values that the actor App.Screen needs"),
            (["App.Cache", "App.Screen"], "the actor App.Screen once for all values that the actor App.Cache needs"),
            ([nil, "App.Cache"], "ask the actor App.Cache once for all values that the task needs"),
            (["App.Cache", nil], "without leaving the actor App.Cache"),
            (["App.A", "App.B", "App.C"], "the actor App.C once for all values that the actor App.A"),
        ] as [([String?], String)])
    func direction(types: [String?], advice: String) throws {
        let finding = try #require(try findings(trace(hops: 1000, between: types)).first)
        #expect(finding.advice.text.contains(advice), "\(finding.advice.text)")
    }

    @Test("The finding names both actors, the code, and the cost of a hop")
    func content() throws {
        let finding = try #require(try findings(trace(hops: 1000)).first)
        #expect(
            finding.summary.hasPrefix(
                "1 task switches between the actor App.Cache and the actor App.Screen at App/Screen.swift:5, "))
        #expect(finding.measures.contains { $0.name == "cost of a hop" && $0.text == "20.0 µs" })
    }

    //   main actor      ├┤      ├┤      ├┤     the loop of the program
    //   libFoundation      ···├┤   ···├┤       next() of a sequence
    @Test("Hops that a system library makes are a note with an advice for the loop of the program")
    func library() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.mapImages()
        let loop = trace.function("Screen.follow()", address: 0x1100)
        let next = trace.function("AsyncStream.next()", address: 0x3100)
        let screen = trace.actor("App.Screen")
        let task = trace.task(at: 10)
        trace.begin(task, on: screen, thread: 2, at: 11)
        for count in 1...501 {
            let time = 13 + Double(count) * 22
            let isOut = count % 2 == 1
            trace.hop(
                task, to: isOut ? 0 : screen, from: isOut ? 2 : 3, at: time, begin: time + 20, thread: isOut ? 3 : 2,
                function: isOut ? next : loop)
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.severity == .info)
        #expect(finding.advice.text.hasPrefix("AsyncStream.next() leaves the actor App.Screen, and this program"))
        #expect(
            finding.advice.phrase.template
                == "{function} leaves {executor}, and this program cannot change it. If the cost matters, move the "
                + "loop{place} off {executor}: run it in a nonisolated async function or a detached task.")
        #expect(finding.advice.text.contains("move the loop at Screen.follow() off the actor App.Screen"))
    }
}
