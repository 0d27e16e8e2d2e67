import Foundation
import Testing

@testable import QueuescopeCommand

@Suite struct DemoTests {
    @Test(
        "A timeline or an export is named after its trace",
        arguments: [
            ("traces/news.ctf", "news"), ("traces/news.ctf/", "news"), ("news", "news"), ("/", "timeline"),
        ])
    func namesTimelines(trace: String, file: String) {
        #expect(TimelineCommand.defaultName(for: trace) == file)
    }
}
