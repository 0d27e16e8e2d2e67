import Foundation
import TestSupport
import Testing

@testable import ProcessInspection

@Suite("Report on a recording whose process still runs")
struct LiveReportTests {
    @Test("ends with the diagnosis of the process, until the process ends or --no-stuck is given")
    func hang() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let recorder = try Program.queuescope.start(
            ["record", "-o", trace, "--", Program.built("StuckPrograms").path, "sync-cycle"],
            output: directory.appending("out"), errors: directory.appending("err"))
        defer { recorder.terminate() }
        var text = ""
        for _ in 0..<400 where !text.contains("Queuescope diagnosis") {
            usleep(50_000)
            text = try Program.queuescope.run(["report", trace]).output
        }
        let diagnosis = try #require(text.range(of: "Queuescope diagnosis"), "\(text)")
        #expect(text[..<diagnosis.lowerBound].contains("STILL WAITING"))
        #expect(text[diagnosis.lowerBound...].contains("2 threads wait for each other"))
        #expect(!text[diagnosis.lowerBound...].contains("queuescope "), "the thread of the recorder is no wait")
        #expect(try !Program.queuescope.run(["report", trace, "--no-stuck"]).output.contains("Queuescope diagnosis"))
        recorder.terminate()
        recorder.waitUntilExit()
        let later = try Program.queuescope.run(["report", trace]).output
        #expect(later.contains("STILL WAITING") && !later.contains("Queuescope diagnosis"))
    }

    @Test("names another process with the same id instead of its diagnosis")
    func otherProcess() throws {
        let program = try StuckProgram("semaphore")
        let error = #expect(throws: InspectionError.self) {
            try ProcessDiagnosis(of: program.pid, attachedTo: .max)
        }
        #expect(error?.sentence.contains("is another process") == true)
    }
}
