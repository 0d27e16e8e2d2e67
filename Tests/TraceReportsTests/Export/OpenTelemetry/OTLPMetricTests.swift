import DispatchModel
import Testing
import TraceBuilder

@testable import TraceExports

/// The metrics of an export for OpenTelemetry.
@Suite struct OTLPMetricTests {
    @Test("Queues with equal labels except for numbers share a data point with the waits and runs of all of them")
    func queues() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for number in 1...3 {
            let queue = trace.serialQueue("app.connection.\(number)", target: root)
            trace.async(on: queue, at: 0, begin: 50, end: 2_050, thread: 2)
        }
        let metrics = try OTLPMessages(trace).metrics
        let wait = try #require(metrics["dispatch.queue.wait.duration"])
        #expect(wait.unit == "s")
        #expect(wait.histogram?.aggregationTemporality == 2)
        let points = try #require(wait.histogram?.dataPoints)
        #expect(points.map(\.labels) == [["dispatch.queue.name": "app.connection.*", "dispatch.queue.kind": "serial"]])
        #expect(points[0].count == "3")
        #expect(abs(try #require(points[0].sum) - 150e-6) < 1e-12)
        #expect(points[0].bucketCounts?.count == OTLPHistogram.bounds.count + 1)
        // 50 µs are in the bucket up to 100 µs.
        #expect(points[0].bucketCounts?.firstIndex(of: "3") == OTLPHistogram.bounds.firstIndex(of: 0.000_1))
        let run = try #require(metrics["dispatch.queue.run.duration"]?.histogram?.dataPoints.first)
        #expect(run.max == 0.002)
        #expect(metrics["dispatch.queue.depth.max"]?.gauge?.dataPoints.first?.asInt == "1")
    }

    @Test("Hand-offs, tasks and waits for actors are counted")
    func others() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let queue = trace.serialQueue("app.state", target: trace.globalQueue())
        trace.sync(on: queue, at: 0, begin: 0, end: 100, thread: 2)
        trace.sync(on: queue, at: 10, begin: 100, end: 120, thread: 3, from: 2)
        let actor = trace.actor("App.Cache")
        let task = trace.task(.detached, at: 0)
        trace.begin(task, thread: 4, at: 10)
        trace.hop(task, to: actor, from: 4, at: 20, begin: 50, thread: 4)
        trace.finish(task, thread: 4, at: 60)
        trace.task(.detached, at: 30)
        let metrics = try OTLPMessages(trace).metrics
        let created = try #require(metrics["swift.task.created"]?.sum)
        #expect(created.isMonotonic == true)
        #expect(created.dataPoints.map(\.asInt) == ["2"])
        #expect(created.dataPoints[0].labels == ["swift.task.kind": "detached"])
        #expect(metrics["swift.task.open"]?.gauge?.dataPoints.map(\.asInt) == ["1"])
        let wait = try #require(metrics["swift.actor.wait.duration"]?.histogram?.dataPoints.first)
        #expect(wait.labels == ["swift.actor.type": "App.Cache"])
        #expect(wait.count == "1")
        #expect(abs(try #require(wait.sum) - 30e-6) < 1e-12)
        let handoffs = try #require(metrics["dispatch.queue.handoffs"]?.sum?.dataPoints)
        #expect(handoffs.filter { $0.labels["dispatch.queue.name"] == "app.state" }.map(\.asInt) == ["1"])
    }

    @Test("Sets of attributes beyond the limit share the overflow, and the total stays correct")
    func overflow() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        for number in 0..<2_500 {
            let name = String([number / 676 % 26, number / 26 % 26, number % 26].map { letters[$0] })
            let queue = trace.serialQueue("app.\(name)", target: root)
            let time = Double(number)
            trace.async(on: queue, at: time, begin: time + 0.1, end: time + 0.2, thread: 2)
        }
        let points = try #require(
            try OTLPMessages(trace).metrics["dispatch.queue.wait.duration"]?.histogram?.dataPoints)
        #expect(points.count == 2_000)
        let overflow = points.filter { $0.labels == ["otel.metric.overflow": "true"] }
        #expect(overflow.map(\.count) == ["501"])
        #expect(points.reduce(0) { $0 + Int($1.count!)! } == 2_500)
    }

    @Test("Bounds of a histogram are inclusive, and the last bucket has no bound")
    func buckets() {
        var histogram = OTLPHistogram()
        for duration: Nanoseconds in [.microseconds(1), .zero, .microseconds(1) + Nanoseconds(1), .seconds(11)] {
            histogram.record(duration)
        }
        #expect(histogram.buckets.prefix(2) == [2, 1])
        #expect(histogram.buckets.last == 1)
        #expect(histogram.shortest == .zero)
        #expect(histogram.longest == .seconds(11))
    }
}
