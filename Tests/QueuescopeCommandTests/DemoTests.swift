import Foundation
import Testing

@testable import QueuescopeCommand

@Suite struct DemoTests {
    @Test(
        "A timeline is named after its trace",
        arguments: [
            ("traces/news.ctf", "news.html"), ("traces/news.ctf/", "news.html"), ("news", "news.html"),
            ("/", "timeline.html"),
        ])
    func namesTimelines(trace: String, file: String) {
        #expect(TimelineCommand.defaultFile(for: trace) == file)
    }
}
