import DispatchAnalysis
import DispatchModel
import Foundation
import Testing

@testable import AnalysisText
@testable import ReportText
@testable import TraceReports

@Suite struct FindingCheckTests {
    private let troubled = SampleAnalysis.troubled()

    private func check(_ words: [String] = [], baseline: Baseline? = nil) throws -> FindingCheck {
        FindingCheck(troubled, policy: try FailurePolicy(words: words), baseline: baseline)
    }

    private func identities(_ analysis: Analysis) -> [FindingIdentity] {
        analysis.findings.map { FindingIdentity($0, in: analysis.model) }
    }

    private func baseline(_ findings: [FindingIdentity]) -> Baseline { Baseline(findings: findings.map { .init($0) }) }

    @Test("An identity names label patterns and files, without numbers, lines and times")
    func identifies() {
        let identities = identities(troubled)
        #expect(
            identities[1]
                == FindingIdentity(
                    detector: "overlapping-handlers", objects: ["news.connection.*"],
                    code: ["NewsService/Connection.swift"]))
        let otherLabels = self.identities(SampleAnalysis.troubled(label: "news.state.2"))
        #expect(otherLabels[0].fingerprint != identities[0].fingerprint)
        #expect(otherLabels[1].fingerprint == identities[1].fingerprint)
        let fewer = self.identities(SampleAnalysis.troubled(connections: 5))
        #expect(fewer.map(\.fingerprint) == identities.map(\.fingerprint))
        #expect(identities.allSatisfy { $0.fingerprint.count == 16 })
    }

    @Test("Findings of one detector with a shared queue and a shared place are the same problem")
    func compares() {
        func identity(_ detector: String, _ objects: [String], _ code: [String]) -> FindingIdentity {
            FindingIdentity(detector: detector, objects: objects, code: code)
        }
        let one = identity("d", ["a", "b"], ["x"])
        #expect(one.isSame(as: identity("d", ["b", "c"], ["y", "x"])))
        #expect(one.isSame(as: identity("d", [], ["x"])))
        #expect(!one.isSame(as: identity("e", ["a"], ["x"])))
        #expect(!one.isSame(as: identity("d", ["c"], ["x"])))
        #expect(!one.isSame(as: identity("d", ["a"], ["y"])))
    }

    @Test("A finding without names of code cannot be compared with a finding with names")
    func comparesNameless() throws {
        func identity(_ objects: [String], _ code: [String], nameless: Bool) -> FindingIdentity {
            FindingIdentity(detector: "d", objects: objects, code: code, isNameless: nameless)
        }
        let named = identity(["a"], ["x.swift f()"], nameless: false)
        let bare = identity(["a"], ["App"], nameless: true)
        #expect(named.match(bare) == .unknown && bare.match(named) == .unknown)
        #expect(bare.match(bare) == .same)
        #expect(identity(["b"], ["App"], nameless: true).match(named) == .different)
        #expect(identity(["a"], [], nameless: true).match(named) == .same)
        let baseline = try Baseline(json: Data(Baseline(findings: [.init(bare)]).json().utf8))
        #expect(baseline.findings.map(\.identity) == [bare])
        #expect(baseline.match(of: named, severity: .error) == .unmatched)
        #expect(FindingIdentity.module(ofNameless: Code(symbol: "App+0x12", file: "", line: 0, address: 1)) == "App")
        #expect(FindingIdentity.module(ofNameless: Code(symbol: "f()", file: "", line: 0, address: 1)) == nil)
    }

    @Test("A finding that cannot be compared with the baseline does not fail, and nothing is gone because of it")
    func unmatched() throws {
        let nameless = identities(troubled).map {
            FindingIdentity(detector: $0.detector, objects: $0.objects, code: ["NewsService"], isNameless: true)
        }
        let check = try check(["info"], baseline: baseline(nameless))
        let withCode = identities(troubled).filter { !$0.code.isEmpty }.count
        try #require(withCode > 0)
        #expect(check.entries.filter(\.isUnmatched).count == withCode)
        #expect(check.entries.allSatisfy { !$0.isUnmatched || !$0.fails } && check.gone.isEmpty)
        let text = CheckText(check).render()
        #expect(text.contains("\(withCode) cannot be matched") && text.contains("Cannot match the findings with ?"))
    }

    @Test("Without a baseline, only warnings and errors fail")
    func failsOnWarnings() throws {
        #expect(try check().entries.map(\.fails) == [true, true, true])
        #expect(try check(["error"]).entries.map(\.fails) == [false, false, true])
        #expect(try check(["overlapping-handlers"]).entries.map(\.fails) == [false, true, false])
        #expect(try check(["error", "overlapping-handlers"]).entries.map(\.fails) == [false, true, true])
    }

    @Test("A word other than a severity or a detector is rejected with a sentence")
    func refusesWords() {
        #expect {
            try FailurePolicy(words: ["fatal"])
        } throws: { error in
            "\(error)".contains("'fatal' is neither a severity (error, warning, info) nor a detector")
        }
    }

    @Test("Known findings do not fail, new findings do, and gone findings are listed")
    func usesABaseline() throws {
        let all = identities(troubled)
        #expect(try !check(baseline: baseline(all)).hasFailed)
        let lacking = try check(baseline: baseline(Array(all.dropFirst())))
        #expect(lacking.entries.map(\.fails) == [true, false, false])
        let old = FindingIdentity(detector: "long-sync-wait", objects: ["news.old"], code: [])
        let moved = try check(baseline: baseline(all + [old]))
        #expect(moved.gone == [old])
        #expect(!moved.hasFailed)
    }

    @Test("A written baseline can be read, and contains nothing that changes from run to run")
    func roundTrips() throws {
        let findings = identities(troubled)
        let text = try baseline(findings + findings).json()
        #expect(Set(try Baseline(json: Data(text.utf8)).findings.map(\.identity)) == Set(findings))
        #expect(try baseline(findings.reversed()).json() == text)
        #expect(!text.contains("412"))
        #expect(!text.contains("swift:"))
    }

    @Test("A finding that is more severe than in the baseline fails, and is marked as worse")
    func findsARise() throws {
        // The third is an error, the others are warnings.
        let known = identities(troubled).map { Baseline.Known($0, severity: .warning) }
        let check = try check(baseline: Baseline(findings: known))
        #expect(check.entries.map(\.fails) == [false, false, true])
        #expect(check.entries.map(\.risenFrom) == [nil, nil, .warning])
        #expect(check.gone.isEmpty)
        let text = CheckText(check).render()
        let counts = "(0 new, 1 worse, 2 known, 0 gone; fails on warning or worse)"
        let verdict = text.replacing("\n", with: " ")
        #expect(verdict.hasPrefix("FAILED: 1 new or worse finding fails the check \(counts). "))
        #expect(text.contains("\n worse  error retarget-after-activation · was warning\n"))
        let outcome = try JSONSerialization.jsonObject(with: Data(CheckReport(check).render().utf8)) as? [String: Any]
        let findings = outcome?["findings"] as? [[String: Any]]
        #expect(findings?.compactMap { $0["risen_from"] as? String } == ["warning"])
        #expect(findings?.map { $0["novelty"] as? String } == ["known", "known", "new"])
        // A finding below the policy does not fail.
        let lower = identities(troubled).map { Baseline.Known($0, severity: .info) }
        let strict = try self.check(["error"], baseline: Baseline(findings: lower))
        #expect(strict.entries.map(\.fails) == [false, false, true])
        // The highest severity wins, and no severity accepts any.
        let twice = Baseline(findings: [known[0], .init(known[0].identity, severity: .error)])
        #expect(try Baseline(json: Data(twice.json().utf8)).findings.map(\.severity) == [.error])
        let any = Baseline(findings: [.init(known[0].identity), known[0]])
        #expect(try Baseline(json: Data(any.json().utf8)).findings.map(\.severity) == [nil])
    }

    @Test(
        "A file that is not a baseline is rejected with a sentence",
        arguments: [
            "", "[]", "{\"findings\": []}", "{\"schema\": \"queuescope.baseline/9\", \"findings\": []}",
            """
            { "schema": "queuescope.baseline/1",
              "findings": [ { "detector": "deadlock", "objects": [], "code": [], "severity": "fatal" } ] }
            """,
        ])
    func refusesOtherFiles(text: String) {
        #expect {
            try Baseline(json: Data(text.utf8))
        } throws: { error in
            "\(error)".contains("--write-baseline")
        }
    }

    @Test("The text has the verdict, then new findings with their advice, then one line per other finding")
    func reads() throws {
        let all = identities(troubled)
        let old = FindingIdentity(detector: "long-sync-wait", objects: ["news.old"], code: ["News/Old.swift"])
        let text = CheckText(try check(baseline: baseline([all[1], old])), style: TextStyle(width: 110))
            .render()
        #expect(
            text == """
                FAILED: 2 new findings fail the check (2 new, 1 known, 1 gone; fails on warning or worse).

                 new    warning staircase-contention · cost 412 ms
                        9 threads hand news.state to each other in 1,250 steps of 4.10 µs; the hand-offs lost 412 ms.
                        at NewsService/StateStore.swift:42
                        Replace the sync on news.state by an unfair lock: it guards a few machine words for 4 µs.

                 new    error retarget-after-activation
                        The target of news.network is set after its activation, which stops the process on Linux.
                        at NewsService/Connection.swift:88
                        Set the target before activate().

                 known  overlapping-handlers: news.connection.* in NewsService/Connection.swift
                 gone   long-sync-wait: news.old in News/Old.swift
                        To remove the gone findings, write a new baseline with --write-baseline.
                note  The recorder discarded 12 events: results may be incomplete.
                note  thread-0007 ends in a packet that was cut short.

                """)
    }

    @Test("A check without findings passes in one line")
    func passes() throws {
        let clean = FindingCheck(SampleAnalysis.clean(), policy: try FailurePolicy(words: []))
        #expect(!clean.hasFailed)
        #expect(CheckText(clean).render() == "passed: no finding (fails on warning or worse).\n")
    }

    @Test("Unreadable parts are reported below the verdict")
    func tellsNotes() throws {
        let clean = FindingCheck(SampleAnalysis.clean(notes: ["A is cut."]), policy: try FailurePolicy(words: []))
        #expect(CheckText(clean).render() == "passed: no finding (fails on warning or worse).\nnote  A is cut.\n")
    }

    @Test("The JSON output satisfies its self-contained schema")
    func satisfiesTheSchema() throws {
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let schema = JSONSchema(try object(CheckReport.schema))
        let old = FindingIdentity(detector: "long-sync-wait", objects: ["news.old"], code: [])
        for baseline in [nil, self.baseline(identities(troubled)), self.baseline([old])] {
            var document = try object(CheckReport(try check(baseline: baseline)).render())
            #expect(schema.violations(document) == [])
            #expect(document["passed"] as? Bool == (baseline?.findings.count == 3))
            document["gone"] = nil
            #expect(schema.violations(document) == ["$.gone: missing"])
        }
    }
}
