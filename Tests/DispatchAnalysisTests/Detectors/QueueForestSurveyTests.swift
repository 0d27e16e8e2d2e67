import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite("Queue forests") struct QueueForestSurveyTests {
    private func findings(
        _ trace: TraceBuilder, processors: UsableProcessors = 2, thresholds: [String] = []
    ) throws -> [Finding] {
        try DetectorRun.findings(
            of: QueueForestSurvey.self, in: trace, thresholds: thresholds, processors: processors)
    }

    private func forest(trees: Int) -> TraceBuilder {
        var trace = TraceBuilder()
        for number in 0..<trees {
            let queue = trace.serialQueue("app.connection.\(number)")
            trace.async(on: queue, at: 10, begin: 11, end: 100 + Double(number), thread: UInt32(2 + number))
        }
        return trace
    }

    @Test("More than two active trees per processor, and more than 4, are reported")
    func trees() throws {
        #expect(try findings(forest(trees: 4)).isEmpty)
        let finding = try #require(try findings(forest(trees: 5)).first)
        #expect(finding.severity == .info)
        #expect(finding.summary.contains("5 queue hierarchies are active"))
        #expect(finding.advice.text.contains("app.connection.*"))
        #expect(try findings(forest(trees: 6), processors: 3).isEmpty)
        #expect(try findings(forest(trees: 7), processors: 3).count == 1)
        let quota = UsableProcessors(allowed: 64, quotaMilli: 2_500)
        #expect(try findings(forest(trees: 6), processors: quota).isEmpty)
        #expect(try findings(forest(trees: 7), processors: quota).count == 1)
    }

    @Test("The main queue, actors and libdispatch's own queues are not trees that the program can merge")
    func othersTrees() throws {
        var trace = forest(trees: 4)
        trace.async(on: trace.mainQueue(), at: 10, begin: 11, end: 100, thread: 1)
        trace.async(on: trace.serialQueue("com.apple.libdispatch-manager"), at: 10, begin: 11, end: 100, thread: 30)
        trace.taskTrack()
        let actor = trace.actor("Store")
        let task = trace.task(at: 1)
        trace.begin(task, on: actor, thread: 31, at: 11)
        trace.finish(task, thread: 31, at: 100)
        #expect(try findings(trace).isEmpty)
        let thresholds = ["trees=3", "per-processor=1"]
        let finding = try #require(try findings(trace, thresholds: thresholds).first)
        #expect(finding.summary.hasPrefix("4 queue hierarchies"))
        #expect(finding.advice.text.hasSuffix("target it with its other queues: app.connection.*."))
        #expect(
            finding.advice.phrase.template
                == "Give each subsystem one serial queue at the bottom, and target it with its other queues: {queue}.")
    }

    @Test("Trees of fetched packages are not counted", arguments: [(4, 0), (5, 1)])
    func packagesTrees(own: Int, count: Int) throws {
        struct Packages: CodeNaming {
            let functions: (any FunctionKinds)? = nil

            func nameCode(of model: DispatchModel) -> [String] {
                for (index, code) in model.codes.enumerated() where code.file.hasPrefix("News/") {
                    model.codes[index] = Code(symbol: "", file: code.file, line: 1, address: 0, package: "news-kit")
                }
                return []
            }
        }
        var trace = forest(trees: own)
        for number in 0..<3 {
            let queue = trace.serialQueue("news.reader.\(number)", created: "News/Reader.swift")
            trace.async(on: queue, at: 10, begin: 11, end: 100, thread: UInt32(20 + number))
        }
        let findings = AnalysisSession(
            options: AnalysisOptions(detectors: [QueueForestSurvey.id]), naming: Packages()
        ).analyze(events: trace.events, processors: 2).findings
        #expect(findings.count == count)
        #expect(findings.allSatisfy { $0.summary.hasPrefix("5 queue hier") && !$0.advice.text.contains("news") })
    }

    @Test(
        "The code of a library on global queues is not reported for the program's trees",
        arguments: [("App/Server.swift:9", 1), (nil, 0)] as [(String?, Int)])
    func makers(site: String?, codes: Int) throws {
        var trace = TraceBuilder()
        trace.add(
            .image(.init(base: 0, begin: 0x7000, end: 0x8000, buildId: "", path: "/usr/lib/libFoundation.so")), at: 0)
        let library = "CF/RunLoop.swift:1"
        _ = trace.code(library, address: 0x7100)
        for number in 0..<5 {
            let queue = trace.serialQueue("app.connection.\(number)", created: site)
            trace.async(on: queue, at: 10, begin: 11, end: 100 + Double(number), thread: UInt32(2 + number))
        }
        trace.async(on: trace.globalQueue(), at: 10, begin: 11, end: 100, thread: 20, code: library)
        let finding = try #require(try findings(trace).first)
        #expect(finding.library == nil)
        #expect(finding.code.count == codes)
        #expect(finding.advice.text.hasPrefix("Give each subsystem"))
    }

    @Test("One tree with many queues is one tree")
    func oneTree() throws {
        var trace = TraceBuilder()
        let bottom = trace.serialQueue("app.subsystem")
        for number in 0..<30 {
            let queue = trace.serialQueue("app.connection.\(number)", target: bottom)
            let time = Double(number) * 10
            trace.async(on: queue, at: time, begin: time + 1, end: time + 5, thread: 2)
        }
        #expect(try findings(trace).isEmpty)
    }

    @Test("Work on global queues is reported from the limit; Swift's own jobs are not counted")
    func global() throws {
        for (kind, number, count) in [(ItemKind.async, 1000, 1), (.async, 999, 0), (.swiftJob, 2000, 0)] {
            var trace = TraceBuilder()
            let queue = trace.globalQueue()
            for item in 0..<number {
                let time = Double(item)
                trace.async(
                    on: queue, at: time, begin: time, end: time + 0.5, thread: 2, kind: kind, code: "App/A.swift:1")
            }
            #expect(try findings(trace).count == count, "\(kind) \(number)")
        }
    }
}
