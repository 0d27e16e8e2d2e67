import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct MisuseTests {
    @Test("Handlers set after activation are one finding per code and kind of object, with both stacks")
    func mutation() throws {
        var trace = TraceBuilder()
        for number in 1...3 {
            let queue = trace.serialQueue("news.connection.\(number)")
            let source = trace.source(.read, on: queue, activated: 2, activationCode: "News/Connection.swift:20")
            trace.mutateAfterActivation(
                source, at: 5 + Double(number), code: "News/Connection.swift:25",
                activationCode: "News/Connection.swift:20")
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first)
        #expect(analysis.findings.map(\.detector) == [MutationAfterActivation.id])
        #expect(finding.severity == .warning)
        #expect(finding.cost == .zero)
        #expect(finding.occurrences == 3)
        #expect(finding.queues.count == 3)
        #expect(finding.code.map { analysis.model[$0].line } == [25, 20])
        #expect(finding.stacks.map { analysis.model[$0.stack] } == [[0x1000, 0x2000], [0x3000]])
        #expect(finding.summary.contains("read source on news.connection.*"))
        #expect(finding.summary.contains("3 times"))
        #expect(finding.advice.text.contains("News/Connection.swift:20"))
        #expect(finding.evidence[0].detail.contains("4.00 µs after its activation"))
    }

    @Test("Another handler, or other code, is another finding")
    func separate() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let source = trace.source(.timer, on: queue, activated: 2)
        trace.mutateAfterActivation(source, handler: .event, at: 5, code: "App/A.swift:1")
        trace.mutateAfterActivation(source, handler: .cancel, at: 6, code: "App/A.swift:1")
        trace.mutateAfterActivation(source, handler: .event, at: 7, code: "App/A.swift:2")
        #expect(AnalysisSession().analyze(events: trace.events).findings.count == 3)
    }

    @Test("A new target for an activated queue is an error, and the summary contains the end of the process")
    func retargetQueue() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work", at: 1)
        let target = trace.serialQueue("app.target", at: 1)
        trace.retargetAfterActivation(UInt64(queue), kind: .queue, to: target, at: 8, code: "App/A.swift:4")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first)
        #expect(finding.detector == RetargetAfterActivation.id)
        #expect(finding.severity == .error)
        #expect(finding.queues.map { analysis.model[$0].label } == ["app.target", "app.work"])
        #expect(finding.summary.contains("ends the process"))
        #expect(finding.evidence[0].detail.contains("7.00 µs after its activation"))
    }

    @Test("A new target for an activated source is a warning that names the deprecated use")
    func retargetSource() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let target = trace.serialQueue("app.target")
        let source = trace.source(.read, on: queue, activated: 1)
        trace.retargetAfterActivation(source, from: queue, to: target, at: 8, code: "App/A.swift:4")
        let finding = try #require(AnalysisSession().analyze(events: trace.events).findings.first)
        #expect(finding.severity == .warning)
        #expect(finding.summary.contains("deprecated"))
        #expect(!finding.summary.contains("ends the process"))
        #expect(finding.evidence[0].detail.hasPrefix("read source on app.work: target changed to app.target"))
    }

    @Test("The new targets are named first, the old ones after them")
    func retargetOrder() throws {
        var trace = TraceBuilder()
        let old = trace.serialQueue("app.old")
        for number in 1...3 {
            let target = trace.serialQueue("app.connection.\(number)")
            let source = trace.source(.read, on: old, activated: 1)
            trace.retargetAfterActivation(source, from: old, to: target, at: 5 + Double(number), code: "App/A.swift:4")
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first)
        #expect(
            finding.queues.map { analysis.model[$0].label } == [
                "app.connection.1", "app.connection.2", "app.connection.3", "app.old",
            ])
        #expect(finding.summary.contains("changed to app.connection.*"))
        #expect(finding.evidence[2].detail.contains("app.connection.3"))
    }

    @Test(
        "An object without a recorded creation is an error if it is a queue, and a warning if it is a source",
        arguments: [(ObjectKind.queue, Finding.Severity.error), (.workloop, .error), (.source, .warning)])
    func retargetUnknown(kind: ObjectKind, severity: Finding.Severity) throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("app.target")
        trace.retargetAfterActivation(0xbeef, kind: kind, to: target, at: 8, code: "App/A.swift:4")
        #expect(try #require(AnalysisSession().analyze(events: trace.events).findings.first).severity == severity)
    }

    @Test("A handler or target that is set before the activation is no misuse")
    func before() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work", inactive: true)
        let target = trace.serialQueue("app.target")
        let source = trace.source(.read, on: queue)
        trace.add(.sourceSetHandler(.init(source: source, handler: .event, code: 0)), at: 1, thread: 1)
        trace.add(.queueSetTarget(.init(queue: queue, target: target, code: 0)), at: 2, thread: 1)
        #expect(AnalysisSession().analyze(events: trace.events).findings.isEmpty)
    }

    @Test("The summary states that the creation of an object was not recorded")
    func unknownObject() throws {
        var trace = TraceBuilder()
        trace.mutateAfterActivation(0xbeef, at: 1, code: "App/A.swift:4")
        let finding = try #require(AnalysisSession().analyze(events: trace.events).findings.first)
        #expect(finding.summary.contains("whose creation was not recorded"))
    }

    @Test("A thousand misuses keep twelve pieces of evidence")
    func bounded() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let source = trace.source(.timer, on: queue, activated: 2)
        for number in 0..<1000 { trace.mutateAfterActivation(source, at: 5 + Double(number), code: "App/A.swift:1") }
        let finding = try #require(AnalysisSession().analyze(events: trace.events).findings.first)
        #expect(finding.occurrences == 1000)
        #expect(finding.evidence.count == 12)
    }
}
