import Foundation
import Testing

@testable import DispatchModel
@testable import QueuescopeCommand

@Suite struct DemoTests {
    @Test("The demo program's own figures are read from its last line of JSON")
    func readsTheProgramsLine() throws {
        let output = """
            listening
            {"variant":"before","seconds":1.25,"requests":10240,"checksum":"00","voluntary_switches":7,"involuntary_switches":3}

            """
        let run = try #require(DemoRun(output: Data(output.utf8)))
        #expect(run.variant == "before")
        #expect(run.seconds == 1.25)
        #expect(run.switches == 10)
        #expect(DemoRun(output: Data("{}\nnothing".utf8)) == nil)
    }

    /// ```
    ///   0   10   20   30   40
    ///   ├────────┤                  one source
    ///        ├────────┤             another
    ///                 ├────────┤    touches, does not overlap
    /// ```
    @Test("Overlap is the time in which two handlers ran, over the time in which any did")
    func measuresOverlap() {
        let meter = OverlapMeter()
        for (begin, end) in [(0, 20), (10, 30), (30, 50)] as [(Int64, Int64)] {
            meter.observe(.item(handler(begin, end)), in: DispatchModel())
        }
        #expect(meter.share == 10.0 / 50.0)
        #expect(OverlapMeter().share == 0)
    }

    private func handler(_ begin: Int64, _ end: Int64) -> Item {
        let began = Timestamp(nanoseconds: begin)
        return Item(
            number: ItemNumber(0), id: 1, queue: QueueIndex(0), kind: .sourceHandler, qos: .unspecified,
            isBarrier: false,
            code: .unknown, source: nil, enqueuedOn: nil, parent: nil, operation: ItemNumber(0), hops: 0,
            thread: ThreadIndex(0), enqueuedAt: began,
            beganAt: began, endedAt: Timestamp(nanoseconds: end), isFinished: true, handedOverBy: nil,
            waitParts: WaitParts())
    }

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
