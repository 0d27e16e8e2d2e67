import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import TimelinePage

/// `documents.d.ts` declares the types of the page's JSON for the scripts. The compiler compares it with documents of
/// the Swift types.
@Suite("The types of the page's data", .enabled(if: Program.canRun("tsc")))
struct PageTypeTests {
    private static let declarations = Package.root + "/Sources/TimelinePage/Web/documents.d.ts"

    /// Documents that have an entry in each of their lists, and every optional member except `links`.
    private func documents() -> [[UInt8]] {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: true)
        trace.hold(lock, thread: 2, granted: 1, released: 2)
        let queue = trace.serialQueue("app.queue")
        trace.fire(trace.source(on: queue), on: queue, begin: 3, end: 4, thread: 2)
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 2, at: 10, until: 20)
        trace.wait(for: semaphore, thread: 2, at: 30)
        trace.end(at: 1_000_000)
        let collector = TimelineCollector()
        let waits = TimelineSide(
            AnalysisSession().analyze(events: trace.events, observers: [collector]), collector: collector)
        let analysis = SampleAnalysis.troubled()
        let findings = TimelineSide(analysis, collector: TimelineCollector()).compared(new: analysis.findings)
        return [waits, findings].map { TimelineDocument($0, title: "app").json(of: $0, strings: StringTable()) }
    }

    /// An object that the compiler accepts only if it has exactly the values of a type.
    private func allValues<Value: CaseIterable & RawRepresentable<String>>(of type: String, _: Value.Type) -> String {
        "({ \(Value.allCases.map { "\($0.rawValue): true" }.joined(separator: ", ")) } as Record<\(type), true>);"
    }

    private func check(_ source: String) throws -> Program.Result {
        let directory = TemporaryDirectory()
        let path = directory.appending("check.ts")
        try "/// <reference path=\"\(Self.declarations)\" />\nexport {};\n\(source)\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        return try #require(Program.installed("tsc")).run([
            "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", path,
        ])
    }

    @Test("The declarations have exactly the members and the words of the Swift documents")
    func declarations() throws {
        let documents = documents().map { "(): Meta => (\(String(decoding: $0, as: UTF8.self)));" }
        let words = [
            allValues(of: "FocusScene", FindingFocus.Scene.self),
            allValues(of: "FocusCallout", FindingFocus.Callout.self),
            allValues(of: "Finding['severity']", Finding.Severity.self),
        ]
        let result = try check((documents + words).joined(separator: "\n"))
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "A member too many, a missing member and another type are errors",
        arguments: [
            (#""kind":"#, #""kinds":"#), (#""tid":"#, #""sid":"#), (#""scene":"moment""#, #""scene":"instant""#),
            (#""title":"app""#, #""title":1"#),
        ])
    func differences(text: String, other: String) throws {
        let document = String(decoding: try #require(documents().first), as: UTF8.self)
        #expect(document.contains(text))
        let result = try check("(): Meta => (\(document.replacingOccurrences(of: text, with: other)));")
        #expect(result.status != 0)
    }
}
