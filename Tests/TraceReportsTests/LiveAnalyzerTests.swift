import CTFReader
import DispatchAnalysis
import DispatchModel
import TestSupport
import Testing

@Suite("The analysis of a followed trace")
struct LiveAnalyzerTests {
    private static let trace = "\(Package.root)/traces/1.6/news-service-before/trace"

    private func live(_ length: Nanoseconds) throws -> LiveAnalyzer {
        LiveAnalyzer(FollowedTrace(path: Self.trace), length: length)
    }

    @Test("A recording that is over has the figures and findings of a report, at every reading")
    func whole() throws {
        let report = try AnalysisSession().analyze(path: Self.trace)
        let analyzer = try live(.seconds(3600))
        for _ in 0..<3 {
            let reading = try #require(try analyzer.next())
            #expect(!reading.isRecording)
            #expect(reading.analysis.trace.events == report.trace.events)
            #expect(reading.analysis.queues.map(\.items) == report.queues.map(\.items))
            #expect(reading.analysis.queues.map(\.wait) == report.queues.map(\.wait))
            #expect(reading.analysis.findings.map(\.detector) == report.findings.map(\.detector))
        }
    }

    @Test("The opened queue has its last items, the newest first")
    func items() throws {
        let analyzer = try live(.seconds(3600))
        let first = try #require(try analyzer.next())
        #expect(first.lastItems.isEmpty)
        let busiest = try #require(first.analysis.queues.max { $0.items < $1.items })
        let number = first.analysis.model[busiest.queue].serialNumber
        let reading = try #require(try analyzer.next(opened: number))
        let items = reading.lastItems
        #expect(items.count == 12)
        #expect(items.map(\.endedAt) == items.map(\.endedAt).sorted(by: >))
        #expect(items.allSatisfy { reading.analysis.model[$0.queue].serialNumber == number })
    }

    @Test("A short window has only its part")
    func window() throws {
        let all = try #require(try live(.seconds(3600)).next()).analysis.trace
        let part = try #require(try live(.milliseconds(100)).next()).analysis.trace
        #expect(part.events > 0 && part.events < all.events)
        #expect(part.duration == .milliseconds(100))
    }
}
