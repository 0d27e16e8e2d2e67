import TestSupport
import Testing

@Suite("The page Getting started")
struct GettingStartedTests {
    private static let page = WalkedPage(path: "Sources/Queuescope/Queuescope.docc/GettingStarted.md")
    private static let counter = "Sources/Visits/VisitCounter.swift"

    @Test("leads from an empty directory to a passed check", .enabled(if: Program.canRun("swift")))
    func path() throws {
        // Whether threads collide on the queue, and how long they wait for the lock, depends on the other load of the
        // machine.
        let reader = try repeatedRecording(Self.page.follow) { reader in
            try reader.results.values.allSatisfy { $0.status == 0 } && !reader.report("before").findings.isEmpty
        }
        reader.checkStatuses()

        let first = try #require(try reader.report("before").findings.first)
        #expect(first.detector == "staircase-contention" && first.queues == ["visits.counter"])
        let before = try Self.page.blocks().compactMap { block -> String? in
            if case .source(Self.counter, let text) = block { text } else { nil }
        }
        let lines = try #require(before.first).components(separatedBy: "\n")
        let line = try #require(lines.firstIndex { $0.contains("queue.sync") }) + 1
        #expect(first.code.map(\.file) == ["Visits/VisitCounter.swift"] && first.code.map(\.line) == [line])
        #expect(reader.sources[Self.counter] == before.last && before.count == 2)

        let difference = try #require(reader.results["queuescope diff before after"])
        #expect(difference.output.contains("\n Better: 1 finding gone, none new"), "\(difference.output)")
        let check = reader.results["queuescope check load-test --baseline queuescope-baseline.json"]
        #expect(check?.output.hasPrefix("passed: ") == true)
        #expect(reader.results.keys.contains("queuescope record -o before -- .build/release/Visits"))
    }
}
