import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct UncollectedChildrenTests {
    /// How the task of the group collects finished children.
    enum Collecting { case never, withoutSuspension, afterSuspension }

    private let owner: UInt64 = 1
    private let group: UInt64 = 0x9000

    //   children added   ▲▲▲   ▲▲▲   ▲▲▲
    //   task 1              ░░░   ░░░   ░░░     awaits an event for 1 ms
    //   kept             ▁▁▁▁▂▂▂▂▂▃▃▃▃▃▄▄▄▄
    /// A task that adds children in `rounds` rounds of a millisecond.
    private func trace(
        rounds: Int, children: Int, kind: TaskKind = .groupChild, records: UInt8 = 1, awaits: AwaitKind = .continuation,
        collecting: Collecting = .never
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.add(.taskTrack(.init(taskDetail: .full, reason: "", collects: records)), at: 0)
        let (loop, child) = (trace.code("App/Worker.swift:7"), trace.code("App/Worker.swift:8"))
        trace.add(
            .taskCreate(.init(task: owner, kind: .main, qos: .default, parent: 0, group: 0, code: 0)), at: 1, thread: 1)
        trace.begin(owner, thread: 1, at: 2)
        for round in 0..<rounds {
            let start = 10 + Double(round) * 1000
            for number in 0..<children {
                let task = UInt64(10 + round * children + number)
                add(task, kind, child, to: &trace, at: start + Double(number))
                finish(task, in: &trace, at: start + Double(number) + 0.4, collecting)
            }
            trace.suspend(owner, for: awaits, thread: 1, at: start + 900, code: loop)
            trace.resume(owner, thread: 3, at: start + 980)
            trace.begin(owner, thread: 1, at: start + 990)
        }
        trace.finish(owner, thread: 1, at: Double(rounds) * 1000 + 20)
        return trace
    }

    private func add(_ task: UInt64, _ kind: TaskKind, _ code: UInt32, to trace: inout TraceBuilder, at time: Double) {
        trace.add(
            .taskCreate(.init(task: task, kind: kind, qos: .default, parent: owner, group: group, code: code)),
            at: time, thread: 1)
        trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: time, thread: 1)
        trace.begin(task, thread: 2, at: time + 0.2)
    }

    private func finish(_ task: UInt64, in trace: inout TraceBuilder, at time: Double, _ collecting: Collecting) {
        if collecting == .afterSuspension {
            trace.suspend(owner, for: .group, object: group, thread: 1, at: time - 0.1)
        }
        trace.finish(task, thread: 2, at: time)
        switch collecting {
        case .never: break
        case .withoutSuspension: trace.add(.taskCollect(.init(child: task, group: group)), at: time + 0.2, thread: 1)
        case .afterSuspension:
            trace.resume(owner, thread: 2, at: time + 0.1)
            trace.begin(owner, thread: 1, at: time + 0.2)
        }
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: UncollectedChildren.self, in: trace)
    }

    @Test("1,000 children that nobody collects are a warning with the code of the children and of the loop")
    func found() throws {
        let finding = try #require(try findings(trace(rounds: 500, children: 2)).first)
        #expect(finding.severity == .warning)
        #expect(
            finding.summary
                == "A task group keeps 1,000 finished child tasks at App/Worker.swift:8: the task that adds "
                + "them at App/Worker.swift:7 collects none of them for 499 ms.")
        #expect(finding.code.count == 2)
    }

    @Test(
        "Less than 1,000 children, less than 10 rounds and less than a quarter of a second are not reported",
        arguments: [(500, 2, 1), (499, 2, 0), (10, 1_000, 0), (9, 1_000, 0), (300, 4, 1)])
    func thresholds(rounds: Int, children: Int, count: Int) throws {
        var trace = trace(rounds: rounds, children: children == 1_000 ? 800 : children)
        // 10 rounds last for less than a tenth of the recording.
        trace.async(on: trace.serialQueue("other"), at: 4e6, begin: 4e6 + 1, end: 4e6 + 2, thread: 5)
        #expect(try findings(trace).count == count)
    }

    @Test(
        "A task that collects its children is not reported, whether it suspends or not",
        arguments: [Collecting.withoutSuspension, .afterSuspension])
    func collected(_ collecting: Collecting) throws {
        #expect(try findings(trace(rounds: 600, children: 4, collecting: collecting)).isEmpty)
    }

    @Test("Children of a discarding group, and of a trace without the events, are not counted")
    func unknown() throws {
        #expect(try findings(trace(rounds: 600, children: 4, kind: .discardingChild)).isEmpty)
        #expect(try findings(trace(rounds: 600, children: 4, records: 0)).isEmpty)
    }

    @Test(
        "A loop that only waits for its groups is limited by its input; a switch of the executor may be an event",
        arguments: [(AwaitKind.group, 0), (.executor, 1), (.task, 1)])
    func events(awaits: AwaitKind, count: Int) throws {
        #expect(try findings(trace(rounds: 600, children: 4, awaits: awaits)).count == count)
    }

    @Test("The first child that is collected after the growth does not hide it")
    func later() throws {
        var trace = trace(rounds: 600, children: 4)
        trace.add(.taskCollect(.init(child: 10, group: group)), at: 600_015, thread: 1)
        #expect(try findings(trace).count == 1)
    }
}
