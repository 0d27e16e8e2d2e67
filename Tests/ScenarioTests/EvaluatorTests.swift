import Scenarios
import Testing

@testable import Evaluator

@Suite("The evaluator")
struct EvaluatorTests {
    @Test("takes numbers, scenarios and detectors")
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

    @Test(
        "says what is wrong with its arguments",
        arguments: [
            (["--only", "nothing"], "there is no scenario or detector nothing"),
            (["--runs"], "--runs needs a value"),
            (["--runs", "0"], "--runs needs a positive number, not 0"),
            (["--quick"], "unknown option --quick"),
        ])
    func wrongOptions(arguments: [String], sentence: String) {
        let failure = #expect(throws: EvaluatorOptions.Failure.self) { try EvaluatorOptions(arguments) }
        #expect(failure?.sentence == sentence)
    }
}
