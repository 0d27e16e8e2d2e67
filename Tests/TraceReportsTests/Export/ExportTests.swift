import DispatchAnalysis
import Foundation
import Testing
import TraceBuilder

@testable import TraceExports

@Suite struct ExportTests {
    /// ```
    ///   0    10   20   30   40 µs
    ///   ├─────────┤                first, runs
    ///   ░░░░░░░░░░├─────────┤      second, waits for it
    /// ```
    private func foldedStacks(label: String = "app.state.7") throws -> String {
        let code = "App/Main.swift:12"
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label, target: trace.globalQueue())
        trace.async(on: queue, at: 0, begin: 0, end: 20, thread: 2, code: code)
        trace.async(on: queue, at: 0, begin: 20, end: 40, thread: 2, code: code)
        var bytes: [UInt8] = []
        let export = FoldedStacks { bytes += $0 }
        try export.finish(AnalysisSession().analyze(events: trace.events, observers: [export.observer(of: 0)]), of: 0)
        try export.end()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Folded stacks have code, queues from the root, the part of the wait, the code behind it, and microseconds")
    func folds() throws {
        #expect(
            try foldedStacks()
                == "App/Main.swift:12;com.apple.root.default-qos;app.state.7;own backlog;App/Main.swift:12 20\n")
    }

    @Test("A separator in a label does not begin a frame, and a line feed does not begin a line")
    func foldsHostileLabels() throws {
        let text = try foldedStacks(label: "a;b\nc")
        #expect(text == "App/Main.swift:12;com.apple.root.default-qos;a,b\\u{A}c;own backlog;App/Main.swift:12 20\n")
    }
}
