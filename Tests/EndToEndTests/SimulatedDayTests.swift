import Foundation
import TestSupport
import Testing

/// Runs Tools/simulate-day with a small day.
@Suite("A simulated day in flight mode", .serialized, .enabled(if: Program.canRun("python3")))
struct SimulatedDayTests {
    private struct Day: Decodable {
        struct Verdict: Decodable {
            let requirement: String
            let isMet: Bool
            let text: String

            enum CodingKeys: String, CodingKey {
                case requirement, text
                case isMet = "is_met"
            }
        }
        let totals: [String: Int]
        let hours: [Hour]
        let verdicts: [Verdict]
        let problems: [String]

        struct Hour: Decodable { let problem: String }
    }

    private func simulate(_ options: String...) throws -> Day {
        let result = try #require(Program.installed("python3")).run(
            [Package.root + "/Tools/simulate-day", "--format", "json"] + options,
            environment: [
                "QUEUESCOPE": Program.queuescope.path, "SIMULATED_DAY": Program.built("SimulatedDay").path,
            ])
        try #require([0, 1].contains(result.status), "\(result.errors)")
        return try JSONDecoder().decode(Day.self, from: Data(result.output.utf8))
    }

    @Test("discards no event, and each snapshot and each ended run has the newest events")
    func memory() throws {
        let day = try simulate(
            "--hours", "3", "--events", "600000", "--queues", "6000", "--actors", "6000", "--memory", "16M",
            "--rate", "50000", "--kills", "4", "--seconds", "0.5")
        #expect(day.totals["queues", default: 0] > 6000)
        #expect(day.totals["actors", default: 0] > 6000)
        #expect(day.hours.count == 3)
        let verdicts = Dictionary(uniqueKeysWithValues: day.verdicts.map { ($0.requirement, $0) })
        #expect(
            Set(verdicts.keys) == [
                "memory", "disk", "newest second", "snapshots", "quality", "discarded", "kills",
            ])
        // A run of seconds proves nothing about memory and disk.
        for name in ["newest second", "snapshots", "quality", "discarded", "kills"] {
            let verdict = try #require(verdicts[name])
            #expect(verdict.isMet, "\(name): \(verdict.text); \(day.problems) \(day.hours.map(\.problem))")
        }
    }
}
