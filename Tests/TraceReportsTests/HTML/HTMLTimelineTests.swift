import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import ReportText
@testable import TimelinePage

@Suite("HTML timeline")
struct HTMLTimelineTests {
    private static func page(label: String = "app.queue", title: String = "app") -> String {
        var trace = TraceBuilder()
        let queue = trace.serialQueue(label)
        trace.async(on: queue, at: 1, begin: 2, end: 3, thread: 2)
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        return String(
            decoding: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: title), as: UTF8.self)
    }

    private static func text(in page: String, from start: String, to end: String) -> String? {
        guard let first = page.range(of: start), let last = page.range(of: end, range: first.upperBound..<page.endIndex)
        else { return nil }
        return String(page[first.upperBound..<last.lowerBound])
    }

    @Test("The policy allows exactly the page's own program and style")
    func policyNamesProgramAndStyle() throws {
        let page = Self.page()
        let policy = try #require(Self.text(in: page, from: "Content-Security-Policy\" content=\"", to: "\""))
        #expect(policy.contains("default-src 'none'"))
        for (directive, start, end) in [
            ("script-src", "\n<script>", "</script>\n</body>"), ("style-src", "<style>", "</style>"),
        ] {
            let content = try #require(Self.text(in: page, from: start, to: end))
            let digest = Data(ContentDigest.sha256(Array(content.utf8))).base64EncodedString()
            #expect(policy.contains("\(directive) 'sha256-\(digest)'"))
        }
        #expect(!policy.contains("unsafe"))
    }

    @Test("A label of the traced program never becomes markup")
    func labelsAreNotMarkup() {
        let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{program}}"
        let page = Self.page(label: hostile, title: hostile)
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<img"))
        #expect(page.components(separatedBy: "</script>").count == 2)
        #expect(TimelineData(page: Array(page.utf8)) != nil)
    }

    @Test("The page has no reference to load")
    func loadsNothing() {
        // Exceptions: an XML namespace is not loaded, and a saved picture has references to itself only.
        let page = Self.page().replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            .replacingOccurrences(of: "url(#", with: "")
        let patterns = [
            "http://", "https://", " src=", "@import", "url(", "fetch(", "XMLHttpRequest", "eval(", "innerHTML",
        ]
        for pattern in patterns {
            #expect(!page.contains(pattern), "\(pattern)")
        }
    }

    @Test("Equal analyses give equal pages")
    func isReproducible() {
        #expect(Self.page() == Self.page())
    }

    @Test("Every placeholder of the template is replaced")
    func templateIsFilled() {
        let names = WebAssets.pieces(of: WebAssets.template).enumerated().filter { $0.offset % 2 == 1 }
            .map { String(decoding: $0.element, as: UTF8.self) }
        #expect(Set(names) == ["policy", "title", "style", "data", "after", "program"])
        let page = Self.page()
        for name in names { #expect(!page.contains("{{\(name)}}")) }
    }

    @Test("A trace without items still opens")
    func emptyTrace() {
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: [TimedEvent](), observers: [collector])
        let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "empty")
        #expect(TimelineData(page: page)?.rows.isEmpty == true)
    }
}
