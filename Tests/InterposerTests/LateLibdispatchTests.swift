import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("A libdispatch that the program opens late")
struct LateLibdispatchTests {
    @Test("has its queues with their labels and widths")
    func labels() throws {
        let source = UnmodifiedProgram.folder + "/C/dispatch_opened_late.c"
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(UnmodifiedProgram(language: .c, source: source), trace: trace)
        #expect(run.status == 0, "\(run)")
        var widths: [String: UInt16] = [:]
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            if case .queueState(let queue) = event { widths[queue.label] = queue.width }
        }
        #expect(widths["com.apple.main-thread"] == 1)
        #expect((widths["com.apple.root.default-qos"] ?? 0) > 1)
    }

    @Test(
        "is recorded where a library brings it",
        arguments: ["plug_in_constructor_joins", "plug_in_small_stack", "plug_in_closed_at_once"])
    func libraries(name: String) throws {
        let source = UnmodifiedProgram.folder + "/C/\(name).c"
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(UnmodifiedProgram(language: .c, source: source), trace: trace)
        #expect(run.status == 0, "\(run)")
        var labels: Set<String> = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            if case .queueCreate(let queue) = event { labels.insert(queue.label) }
        }
        #expect(labels.contains { $0.hasPrefix("plug-in") }, "\(labels)")
    }
}
