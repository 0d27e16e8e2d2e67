import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("A program that execs another")
struct ExecTests {
    /// The labels of the queues that the program of a trace created.
    private func queues(of trace: String) throws -> Set<String> {
        var labels: Set<String> = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            if case .queueCreate(let queue) = event { labels.insert(queue.label) }
        }
        return labels
    }

    @Test("leaves one trace for each program, the last one under the name that was asked for")
    func forms() throws {
        let source = UnmodifiedProgram.folder + "/C/exec_forms.c"
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(UnmodifiedProgram(language: .c, source: source), trace: trace)
        #expect(run.status == 0, "\(run)")
        let last = 9
        for generation in 0..<last {
            #expect(try queues(of: "\(trace)-\(generation + 1)").contains("generation \(generation)"))
        }
        let labels = try queues(of: trace).filter { $0.hasPrefix("generation") }
        #expect(labels == ["generation \(last)"])
        let report = try Program.queuescope.run(["report", trace])
        #expect(report.output.contains("generation \(last)"))
        #expect(!report.output.contains("generation \(last - 1)"))
    }

    @Test("through one that uses no queues is recorded all the same")
    func between() throws {
        let source = UnmodifiedProgram.folder + "/C/exec_forms.c"
        let (path, _) = try CompiledPrograms.executable(of: UnmodifiedProgram(language: .c, source: source))
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        // The last generation does not call exec. The shell and env do.
        let run = try ProgramRun.recorded("/bin/sh", ["-c", "exec env BY=env '\(path)' 9"], trace: trace)
        #expect(run.status == 0, "\(run)")
        #expect(try queues(of: trace).contains("generation 9"))
        #expect(!FileManager.default.fileExists(atPath: trace + "-1"))
    }
}
