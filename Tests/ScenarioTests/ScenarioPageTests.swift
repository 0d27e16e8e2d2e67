import Foundation
import Scenarios
import Testing

@Suite("The page of the scenarios")
struct ScenarioPageTests {
    static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Scenarios/Scenarios.docc/Scenarios.md")

    /// With `REGENERATE_DOCUMENTATION=1` in the environment the test writes the page first.
    @Test("matches the catalogue; otherwise run the test with REGENERATE_DOCUMENTATION=1")
    func isUpToDate() throws {
        if ProcessInfo.processInfo.environment["REGENERATE_DOCUMENTATION"] == "1" {
            try ScenarioCatalogue.page.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(found == ScenarioCatalogue.page, "Scenarios.md is stale")
    }
}
