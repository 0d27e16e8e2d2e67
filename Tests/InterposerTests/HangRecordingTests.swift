import DispatchAnalysis
import DispatchModel
import Foundation
import Symbolication
import TestSupport
import Testing

@Suite("A program that hangs")
struct HangRecordingTests {
    @Test(
        "is reported with the function that waits, its code and the repair",
        arguments: [
            ("operation", "waitUntilAllOperationsAreFinished() at runDownloads()", "Mark each operation that the main"),
            ("condition", "at Mailbox.take()", "Signal the condition that the main thread waits for"),
        ])
    func reported(kind: String, place: String, advice: String) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let source = UnmodifiedProgram.folder + "/Swift/hangs.swift"
        let (path, _) = try CompiledPrograms.executable(of: UnmodifiedProgram(language: .swift, source: source))
        // On a busy machine the recorder may miss a blocked call.
        var findings: [Finding] = []
        for _ in 1...3 where findings.isEmpty {
            try? FileManager.default.removeItem(atPath: trace)
            let run = try ProgramRun.recorded(path, [kind], trace: trace)
            #expect(run.status == 128 + 14, "SIGALRM: \(run)")
            findings = try AnalysisSession(naming: Symbolizer()).analyze(path: trace).findings
        }
        let finding = try #require(findings.first, "no finding")
        #expect(finding.detector == Hang.id && finding.severity == .warning)
        #expect(finding.summary.contains(place), "\(finding.summary)")
        #expect(finding.advice.text.hasPrefix(advice), "\(finding.advice.text)")
    }
}
