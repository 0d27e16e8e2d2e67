import Foundation
import Testing

@testable import DispatchAnalysis

@Suite("The reason of a snapshot")
struct SnapshotReasonTests {
    @Test(
        "It is one line of at most 511 bytes",
        arguments: [
            ("slow", "slow"), ("  a\nb\u{1B}[1m ", "a b [1m"),
            (String(repeating: "x", count: 600), String(repeating: "x", count: 511)),
            (String(repeating: "é", count: 300), String(repeating: "é", count: 255)),
        ])
    func text(given: String, kept: String) { #expect(SnapshotReason(given)?.text == kept) }

    @Test("A text without content is no reason", arguments: ["", " \n\t "])
    func empty(text: String) { #expect(SnapshotReason(text) == nil) }

    @Test("It is kept with the trace, and a file of another program is ignored")
    func stored() throws {
        let directory = FileManager.default.temporaryDirectory.path + "/queuescope-reason-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(SnapshotReason(trace: directory) == nil)
        SnapshotReason("queue=db wait>1s: 2 s")?.write(toTrace: directory)
        #expect(SnapshotReason(trace: directory)?.text == "queue=db wait>1s: 2 s")
        try Data(count: 4096).write(to: URL(fileURLWithPath: directory + "/.snapshot"))
        #expect(SnapshotReason(trace: directory) == nil)
    }
}
