import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct ActorContentionTests {
    //   task 1  ├ 1 ms on the actor ┤
    //   task 2  ░░░░░░░░░░░░░░░░░░░░├ 1 ms ┤
    //   task 3  ░░░░░░░░░░░░░░░░░░░░░░░░░░░├ 1 ms ┤
    /// Tasks that call an actor at the same time and then hold it one after the other.
    private func tasks(_ count: Int, hold: Double, rounds: Int = 1, every pause: Double = 100_000) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        for round in 0..<rounds {
            let at = Double(round) * pause + 10
            let all = (0..<count).map { _ in trace.task(at: at) }
            for (place, task) in all.enumerated() {
                let start = at + 1 + Double(place) * 0.001
                trace.begin(task, thread: 3, at: start)
                let begin = at + 2 + Double(place) * hold
                trace.hop(
                    task, to: actor, from: 3, at: start + 0.0005, begin: begin, thread: 2, code: "App/Cache.swift:7")
                trace.finish(task, thread: 2, at: begin + hold)
            }
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder, thresholds: [String] = []) throws -> [Finding] {
        try DetectorRun.findings(of: ActorContention.self, in: trace, thresholds: thresholds)
    }

    @Test("Ten waits are reported, nine are not", arguments: [(11, 1), (10, 0)])
    func waits(count: Int, found: Int) throws {
        #expect(try findings(tasks(count, hold: 2000)).count == found)
    }

    //   task 1  ├────── on the actor ──────┤
    //   task 2  ░░░░░░░░░░░░░░░░░░░░░░░░░░░├──
    @Test("One wait is reported alone from 250 ms", arguments: [(250_000.0, 1), (249_999, 0)])
    func oneWait(hold: Double, found: Int) throws {
        var trace = tasks(2, hold: hold)
        trace.end(at: 10e6)
        let findings = try findings(trace)
        #expect(findings.count == found)
        #expect(
            findings.allSatisfy {
                $0.summary == "A task waited 250 ms while another was on the actor App.Cache: it is held at "
                    + "App/Cache.swift:7 for 250 ms at a time."
            })
    }

    //   task 1  ├────── on the actor ─────── snapshot
    //   task 2  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░
    @Test("A wait that has not ended counts so far")
    func openWait() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let (first, second) = (trace.task(at: 1), trace.task(at: 1))
        trace.begin(first, thread: 2, at: 2)
        trace.hop(first, to: actor, from: 2, at: 3, begin: 4, thread: 2, code: "App/Cache.swift:7")
        trace.begin(second, thread: 3, at: 10)
        trace.suspend(second, for: .executor, object: actor, thread: 3, at: 20)
        trace.resume(second, on: actor, thread: 3, at: 20)
        trace.end(at: 300_020)
        let findings = try findings(trace)
        #expect(findings.count == 1)
        #expect(
            findings.allSatisfy {
                $0.summary == "A task waited 300 ms while another was on the actor App.Cache: it is held at "
                    + "App/Cache.swift:7 for 300 ms at a time." && $0.evidence[0].detail.hasSuffix("and still waits.")
            }, "\(findings.map(\.summary))")
    }

    @Test("Waits of less than 10 ms in total are not reported")
    func lost() throws {
        #expect(try findings(tasks(20, hold: 50)).isEmpty)
        #expect(try findings(tasks(20, hold: 50), thresholds: ["lost=5ms", "share=0.5%"]).count == 1)
    }

    @Test("Waits that are spread over a long time are no contention")
    func share() throws {
        #expect(try findings(tasks(11, hold: 100, rounds: 30, every: 2_000_000)).isEmpty)
    }

    @Test("A long hold is distinguished from many short ones, with the code that holds")
    func shapes() throws {
        let long = try #require(try findings(tasks(20, hold: 2000)).first)
        #expect(long.summary.contains("the actor App.Cache, 19 times"))
        #expect(long.summary.contains("it is held at App/Cache.swift:7 for 2.00 ms at a time"))
        #expect(long.advice.text.hasPrefix("Hold the actor App.Cache for a shorter time at App/Cache.swift:7"))
        #expect(
            long.advice.phrase.template
                == "Hold {executor} for a shorter time{place}, so that other tasks wait less: do the work in a "
                + "nonisolated function or in a separate task, and use the actor only to read its state and to store "
                + "the result.")
        let short = try #require(try findings(tasks(300, hold: 20)).first)
        #expect(short.summary.contains("it is called at App/Cache.swift:7 too often, for 20.0 µs at a time"))
        #expect(short.advice.text.hasPrefix("Call the actor App.Cache less often"))
        #expect(
            short.advice.phrase.template
                == "Call {executor} less often{place}, so that tasks wait less: pass many values in one call, keep "
                + "read-only state outside the actor, or protect state this small with a Mutex, which takes "
                + "nanoseconds.")
    }

    //   one      ├──── 60 ms ────┤
    //   others    ░░░░░░░░░░░░░░░░├┤░├┤░├┤░…  900 of 50 µs each
    @Test("A wait is attributed completely, whatever the number of runs that it overlaps")
    func longQueue() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        for place in 0...900 {
            let task = trace.task(at: 10)
            let at = 11 + Double(place) * 0.002
            let begin = place == 0 ? 14 : 60_000 + Double(place) * 50
            trace.begin(task, thread: 3, at: at)
            trace.hop(
                task, to: actor, from: 3, at: at + 0.001, begin: begin, thread: 2,
                code: place == 0 ? "App/Cache.swift:7" : "App/Cache.swift:9")
            trace.finish(task, thread: 2, at: place == 0 ? 60_050 : begin + 50)
        }
        let finding = try #require(try findings(trace).first)
        let measures = Dictionary(finding.measures.map { ($0.name, $0.text) }, uniquingKeysWith: { $0 + "; " + $1 })
        #expect(measures["waited"] == "74.3 s")
        #expect(measures["waits behind code that held it"] == "54.0 s, App/Cache.swift:7; 20.2 s, App/Cache.swift:9")
        #expect(measures["waits behind runs of 100 µs or more"] == "73 %")
    }

    @Test("A holder that lost its processor does not count as a long hold")
    func preempted() throws {
        var trace = tasks(20, hold: 2000)
        for hold in 0..<20 {
            let begin = 12 + Double(hold) * 2000
            trace.off(2, from: begin + 10, until: begin + 1990, preempted: true)
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.contains("it is called at App/Cache.swift:7 too often, for 20.0 µs at a time"))
    }

    @Test("Tasks that wait for a thread while the actor is free do not contend")
    func freeActor() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        for number in 0..<40 {
            let at = Double(number) * 10_000 + 10
            let task = trace.task(at: at)
            trace.begin(task, thread: 3, at: at + 1)
            trace.hop(task, to: actor, from: 3, at: at + 2, begin: at + 8000, thread: 2)
            trace.finish(task, thread: 2, at: at + 8500)
        }
        #expect(try findings(trace).isEmpty)
    }
}
