import Scenarios
import Testing

@testable import Evaluator

@Suite("The evaluator")
struct EvaluatorTests {
    @Test("accepts numbers, scenarios and detectors")
    func options() throws {
        let options = try EvaluatorOptions([
            "--runs", "3", "--variants", "2", "--first-seed", "7", "--only", "deadlock", "--jobs", "4", "--json",
            "results.json", "--keep", "wrong",
        ])
        #expect(options.runs == 3 && options.variants == 2 && options.firstSeed == 7 && options.jobs == 4)
        #expect(options.json?.lastPathComponent == "results.json" && options.kept?.lastPathComponent == "wrong")
        #expect(options.plan.count == options.scenarios.count && options.plan.allSatisfy { $0.count == 4 })
        #expect(options.scenarios.count > 1 && options.scenarios.allSatisfy { $0.detector == "deadlock" })
        #expect(try EvaluatorOptions([]).scenarios.count == ScenarioCatalogue.all.count)
    }

    @Test("accepts conditions, each once and in their order")
    func conditions() throws {
        #expect(try EvaluatorOptions([]).conditions == [.quiet])
        #expect(try EvaluatorOptions(["--conditions"]).conditions == FieldCondition.allCases)
        let named = try EvaluatorOptions([
            "--condition", "lost-20", "--condition", "quota", "--condition", "lost-20", "--runs", "2",
        ])
        #expect(named.conditions == [.quota, .lostTwenty] && named.runs == 2)
        for condition in FieldCondition.allCases {
            #expect(EvaluatorOptions.usage.contains("  \(condition.rawValue) "))
        }
    }

    @Test("records other variants when the condition concerns the program")
    func variants() throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: "image-cache"))
        let run = ScenarioRun(scenario, seed: 3, repaired: true)
        let many = FieldCondition.manyQueues.variant(of: run)
        #expect(many.parameters == run.parameters && many.otherQueues == 10_000 && many.repaired)
        #expect(many.arguments.suffix(2) == ["--other-queues", "10000"])
        let other = FieldCondition.otherDomain.variant(of: run)
        #expect(other.parameters != run.parameters && other.arguments.suffix(2) == ["--domain", "warehouse"])
        #expect(FieldCondition.oneProcessor.variant(of: run).arguments == run.arguments)
    }

    @Test("compares the medians of the problems and of the repaired versions", arguments: [(90.0, true), (91, false)])
    func gains(repaired: Double, isBetter: Bool) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: "download-queue"))
        var gains = GainTable()
        for value in [1, 100, 5_000] as [Double] { gains.add(value * 1e6, of: scenario, repaired: false) }
        #expect(gains.rows.isEmpty && gains.isPerfect)
        for value in [repaired, 10_000, 3] { gains.add(value * 1e6, of: scenario, repaired: true) }
        #expect(gains.rows.map(\.isBetter) == [isBetter] && gains.isPerfect == isBetter)
        let result = isBetter ? "better" : "NOT BETTER"
        #expect(
            gains.text.hasSuffix(
                "| `pool-starvation` | `download-queue` | duration | 100 ms | \(Int(repaired)).0 ms | \(result) |\n"))
    }

    @Test("compares the least median share of the critical paths with 90 %", arguments: [(0.9, true), (0.89, false)])
    func paths(share: Double, isExplained: Bool) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: "download-queue"))
        var paths = PathTable()
        #expect(paths.text.isEmpty && paths.isExplained)
        for share in [0.999, 0.97, 1] { paths.add(share, of: ScenarioRun(scenario, seed: 1, repaired: false)) }
        for share in [share, 0.5, 1] { paths.add(share, of: ScenarioRun(scenario, seed: 2, repaired: true)) }
        #expect(paths.rows.map(\.isExplained) == [isExplained] && paths.isExplained == isExplained)
        let result = isExplained ? "explained" : "NOT EXPLAINED"
        #expect(paths.text.contains("| `download-queue` | 50 % | \(isExplained ? 90 : 89) % | \(result) |\n"))
        let command = "queuescope scenario download-queue --seed 2 --repaired"
        #expect(paths.text.hasSuffix("\nNamed causes explain at least 50 % of each critical path (\(command)).\n"))
    }

    @Test("wants more of the work, and less of everything else", arguments: Gain.allCases)
    func direction(gain: Gain) {
        #expect(gain.isBetter(gain == .work ? 20 : 5, than: 10))
        #expect(!gain.isBetter(gain == .work ? 5 : 20, than: 10))
        #expect(!gain.isBetter(0, than: 0))
    }

    @Test(
        "reports invalid arguments",
        arguments: [
            (["--only", "nothing"], "there is no scenario or detector nothing"),
            (["--runs"], "--runs needs a value"),
            (["--runs", "0"], "--runs needs a positive number, not 0"),
            (["--quick"], "unknown option --quick"),
            (["--condition"], "--condition needs a value"),
            (
                ["--condition", "noise"],
                "there is no condition noise; there are "
                    + FieldCondition.allCases.map(\.rawValue).joined(separator: ", ")
            ),
        ])
    func wrongOptions(arguments: [String], sentence: String) {
        let failure = #expect(throws: EvaluatorOptions.Failure.self) { try EvaluatorOptions(arguments) }
        #expect(failure?.sentence == sentence)
    }
}
