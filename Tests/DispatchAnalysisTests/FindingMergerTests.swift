import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite struct FindingMergerTests {
    /// A long item of a queue, and a sync that waits for it.
    private func longItem() -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.database")
        trace.async(on: queue, at: 0, begin: 5, end: 300_000, thread: 2, code: "App/Compact.swift:3")
        trace.sync(on: queue, at: 10, begin: 300_010, end: 300_020, thread: 3, from: 2, code: "App/Read.swift:9")
        return trace
    }

    @Test("A long item and the sync that waits for it are one finding with a symptom")
    func merges() throws {
        let findings = AnalysisSession().analyze(events: longItem().events, processors: 2).findings
        #expect(findings.map(\.detector) == [WorkTooLarge.id])
        let symptom = try #require(findings.first?.symptoms.first)
        #expect(symptom.detector == LongSyncWait.id)
        #expect(symptom.summary.contains("App/Read.swift:9"))
        #expect(symptom.cost == .milliseconds(300))
    }

    @Test("Without the detector of the cause, the symptom is a separate finding")
    func alone() {
        let options = AnalysisOptions(detectors: [LongSyncWait.id])
        let findings = AnalysisSession(options: options).analyze(events: longItem().events).findings
        #expect(findings.map(\.detector) == [LongSyncWait.id])
        #expect(findings.allSatisfy { $0.symptoms.isEmpty })
    }

    @Test("Findings about other times or other objects are not merged")
    func apart() {
        var trace = longItem()
        let other = trace.serialQueue("app.other")
        trace.sync(on: other, at: 400_000, begin: 400_001, end: 600_000, thread: 4, code: "App/Other.swift:1")
        trace.sync(on: other, at: 400_010, begin: 600_001, end: 600_002, thread: 5, from: 4, code: "App/Other.swift:2")
        let findings = AnalysisSession().analyze(events: trace.events, processors: 2).findings
        #expect(findings.count == 2)
        #expect(findings.allSatisfy { $0.symptoms.count == 1 })
    }

    //   thread 2   ├ item of a ── sync to b ░░░░░░ end   ┐ deadlock, and two blocked workers
    //   thread 3     ├ item of b ── sync to a ░░░░ end   ┘
    @Test(
        "Findings that are proved by the same wait are one finding, also on different queues", arguments: [true, false])
    func sameWait(isSame: Bool) throws {
        var trace = TraceBuilder()
        _ = (trace.serialQueue("app.a"), trace.globalQueue())
        let model = AnalysisSession().analyze(events: trace.events).model
        func finding(_ detector: String, on queue: Int, provedAt time: Int64) -> Finding {
            Finding(
                detector: detector, severity: .error, summary: "s.", queues: [model.queues[queue].index], begin: .zero,
                end: Timestamp(nanoseconds: 9_000), cost: .microseconds(9), occurrences: 1, measures: [],
                evidence: [
                    Evidence(
                        time: Timestamp(nanoseconds: time), thread: ThreadIndex(0), event: "sync_block", detail: "d")
                ],
                code: [], advice: Advice(.nothing, ""))
        }
        let findings = FindingMerger.merged(
            [
                finding(Deadlock.id, on: 0, provedAt: 1_000),
                finding(PoolStarvation.id, on: 1, provedAt: isSame ? 1_000 : 2_000),
            ], detectors: [Deadlock.self, PoolStarvation.self], in: model)
        #expect(findings.map(\.detector) == (isSame ? [Deadlock.id] : [Deadlock.id, PoolStarvation.id]))
        #expect(findings.first?.symptoms.count == (isSame ? 1 : 0))
    }

    //   connection.7   ████████████  ← sync 300 ms, at one place for all connections
    //   connection.8   ████████████  ← sync 300 ms
    @Test("The same problem on many similar queues is one finding with the sum of the costs")
    func folds() throws {
        var trace = TraceBuilder()
        for number in 0..<20 {
            let (queue, begin) = (trace.serialQueue("app.connection.\(number)"), Double(number) * 1000)
            let thread = UInt32(10 + 2 * number)
            trace.async(on: queue, at: begin, begin: begin + 5, end: begin + 300_000, thread: thread)
            trace.sync(
                on: queue, at: begin + 10, begin: begin + 300_010, end: begin + 300_020, thread: thread + 1,
                from: thread,
                code: "App/Read.swift:9")
        }
        let options = AnalysisOptions(detectors: [LongSyncWait.id])
        let findings = AnalysisSession(options: options).analyze(events: trace.events).findings
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.queues.count == 20)
        #expect(finding.cost == .milliseconds(6000))
        #expect(finding.summary.contains("19 more cases like this"))
    }

    @Test("Merged findings keep the name of their library")
    func foldsLibrary() throws {
        var trace = TraceBuilder()
        for number in 0..<2 { _ = trace.serialQueue("lib.\(number)") }
        let model = AnalysisSession().analyze(events: trace.events).model
        let findings = model.queues.map { queue in
            var finding = Finding(
                detector: "d", severity: .info, summary: "s.", queues: [queue.index], begin: .zero, end: .zero,
                cost: .zero,
                occurrences: 1, measures: [], evidence: [], code: [], advice: Advice(.nothing, ""))
            finding.library = "libFoundation.so"
            return finding
        }
        let folded = FindingMerger.folded(findings, in: model)
        #expect(folded.map(\.library) == ["libFoundation.so"])
    }

    @Test("Compiled copies of one function are one problem; functions without a line are separate")
    func copies() {
        var trace = TraceBuilder()
        for (number, file) in [(901, "App/Cache.swift"), (902, "App/Cache.swift"), (903, ""), (904, "")] {
            let code = DispatchEvent.CodeSymbol(
                code: UInt32(number), address: UInt64(number), symbol: "fill()", file: file, line: 7)
            trace.add(.codeSymbol(code), at: 0)
        }
        let model = AnalysisSession().analyze(events: trace.events).model
        let findings = model.codes.indices.dropFirst().map { code in
            Finding(
                detector: "d", severity: .info, summary: "s.", queues: [], begin: .zero, end: .zero, cost: .zero,
                occurrences: 1, measures: [], evidence: [], code: [CodeIndex(code)], advice: Advice(.nothing, ""))
        }
        let folded = FindingMerger.folded(findings, in: model)
        #expect(folded.map(\.occurrences) == [2, 1, 1])
        #expect(folded[0].summary == "s. 1 more case like this, in other compiled copies of this code.")
    }

    @Test("Two problems behind one wrapper around a lock are not merged")
    func wrapper() {
        let (one, other) = (QueueIndex(0), QueueIndex(1))
        func finding(_ detector: String, _ queue: QueueIndex) -> Finding {
            Finding(
                detector: detector, severity: .warning, summary: detector, queues: [queue], begin: .zero,
                end: Timestamp(nanoseconds: 1_000_000), cost: .milliseconds(1), occurrences: 1, measures: [],
                evidence: [],
                code: [CodeIndex(1)], advice: Advice(.nothing, ""))
        }
        var trace = TraceBuilder()
        _ = trace.code("App/Protected.swift:12")
        _ = trace.serialQueue("app.cache")
        _ = trace.serialQueue("app.sessions")
        let model = AnalysisSession().analyze(events: trace.events).model
        func merged(_ findings: [Finding]) -> [Finding] {
            FindingMerger.merged(findings, detectors: [WorkTooLarge.self, LongSyncWait.self], in: model)
        }
        #expect(merged([finding(WorkTooLarge.id, one), finding(LongSyncWait.id, other)]).count == 2)
        #expect(merged([finding(WorkTooLarge.id, one), finding(LongSyncWait.id, one)]).count == 1)
    }

    @Test("No detector explains itself, directly or indirectly, and each names existing detectors")
    func noCircle() {
        let explains = Dictionary(uniqueKeysWithValues: DetectorRegistry.all.map { ($0.id, $0.explains) })
        for start in explains.keys {
            var reached: Set<String> = []
            var front = explains[start] ?? []
            while let next = front.popFirst() {
                guard reached.insert(next).inserted else { continue }
                front.formUnion(explains[next] ?? [])
            }
            #expect(!reached.contains(start), "\(start)")
        }
    }
}
