import Foundation
import TestSupport
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

    @Test("A directory that cannot be made is refused in words")
    func refusesItsDirectory() throws {
        // Nobody makes a directory in /proc, not even root.
        let result = try Program.queuescope.run(["demo", "-o", "/proc/demo"])
        #expect(result.status == 73)
        #expect(
            result.errors == "queuescope: cannot write /proc/demo: No such file or directory. "
                + "Name another directory with --output.\n")
    }
}
