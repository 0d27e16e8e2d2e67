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

    @Test("A directory that cannot be created is reported in a sentence")
    func refusesItsDirectory() throws {
        // No process can create a directory in /proc, not even as root.
        let result = try Program.queuescope.run(["demo", "-o", "/proc/demo"])
        #expect(result.status == 73)
        #expect(
            result.errors == "queuescope: cannot write /proc/demo: No such file or directory. "
                + "Name another directory with --output.\n")
    }
}
