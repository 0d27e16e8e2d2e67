import Foundation
import TestSupport
import Testing

/// Tools/torture in its short form: some faults of each kind, with a new seed each time.
@Suite("A program to which something happens while it is recorded", .enabled(if: Program.canRun("python3")))
struct TortureTests {
    @Test("never notices, and misses no event that is not counted as discarded")
    func torture() throws {
        let result = try #require(Program.installed("python3")).run(
            [Package.root + "/Tools/torture", "--short", "--until", "60"],
            environment: [
                "QUEUESCOPE": Program.queuescope.path,
                "QUEUESCOPE_PRELOAD": Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so")
                    .path,
            ])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }
}
