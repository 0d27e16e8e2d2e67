import DispatchAnalysis
import Scenarios
import Testing

@Suite("The catalogue of scenarios")
struct ScenarioCatalogueTests {
    @Test("gives every scenario a unique name")
    func namesAreUnique() {
        let names = ScenarioCatalogue.all.map { $0.id }
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(name)") }
    }

    @Test("has a scenario for every detector")
    func everyDetectorHasOne() {
        // The program of the scenarios does not link Foundation, which RunLoopTimerTests needs. A scenario that hangs
        // has a thread that ends it, so not all of its threads wait: HangRecordingTests has such a program.
        let judged = Set(ScenarioCatalogue.all.map { $0.detector }).union([TimerWithoutRunLoop.id, Hang.id])
        for detector in DetectorRegistry.all { #expect(judged.contains(detector.id), "\(detector.id)") }
    }

    @Test("lists each detector once")
    func headings() {
        let headings = ScenarioCatalogue.list.split(separator: "\n").dropFirst().filter { !$0.hasPrefix(" ") }
        #expect(headings.count == Set(ScenarioCatalogue.all.map { $0.detector }).count)
    }

    @Test("describes the problem and the repair of every scenario", arguments: ScenarioCatalogue.all.map { $0.id })
    func sentences(id: String) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        #expect(scenario.summary.hasSuffix(".") && scenario.repair.hasSuffix("."))
        for tolerance in scenario.tolerated {
            #expect(!tolerance.reason.isEmpty && tolerance.detector != scenario.detector)
        }
        for exemption in scenario.exemptions {
            #expect(!exemption.reason.isEmpty && !exemption.reason.hasSuffix(".") && exemption.condition != .quiet)
        }
        #expect(ScenarioCatalogue.list.contains("  \(id) "))
    }

    @Test("measures failed runs of the scenarios that fail", arguments: ScenarioCatalogue.all.map { $0.id })
    func failures(id: String) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        #expect((scenario.gain == .failedRuns) == (scenario.ending != .success))
    }

    @Test("has at least 20 variants of each, which a seed repeats", arguments: ScenarioCatalogue.all.map { $0.id })
    func variants(id: String) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        let drawn = (1...40).map { seed in
            ScenarioRun(scenario, seed: seed, repaired: false).variation.parameters.map { "\($0.name)=\($0.value)" }
        }
        #expect(Set(drawn).count >= 20)
        for (seed, parameters) in zip(UInt64(1)..., drawn) {
            let again = ScenarioRun(scenario, seed: seed, repaired: true).variation.parameters
            #expect(again.map { "\($0.name)=\($0.value)" } == parameters)
        }
    }

    @Test("has labels and numbers of another domain", arguments: ScenarioCatalogue.all.map { $0.id })
    func domains(id: String) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        let usual = ScenarioRun(scenario, seed: 1, repaired: false)
        let other = ScenarioRun(scenario, seed: 1, repaired: false, domain: .warehouse)
        #expect(usual.variation.parameters.map(\.name) == other.variation.parameters.map(\.name))
        let labels = [usual, other].map { $0.variation.parameters.first { $0.name == "label" }?.value }
        #expect(labels[0] != nil && labels[0] != labels[1])
        for (one, another) in zip(usual.variation.parameters, other.variation.parameters) {
            func number(_ text: String) -> Int? { text.split(separator: " ").first.flatMap { Int($0) } }
            // A choice begins at 0. A number of the other domain is not below the usual number.
            if let value = number(one.value), let higher = number(another.value), value > 2 { #expect(higher >= value) }
        }
    }
}
