@testable import DispatchAnalysis
@testable import DispatchModel

/// An analysis with fixed contents for tests of renderers, independent of the detectors.
///
/// ```
///   com.apple.root.default-qos
///   ├ news.state                    loses most: four findings' worth of trouble
///   ├ news.connection.0 … 63        look-alikes
///   ├ news.cache  (concurrent)
///   └ news.network
///     └ news.network.parser
/// ```
enum SampleAnalysis {
    /// The trace of a service with four findings.
    static func troubled(label: String = "news.state", connections: Int = 64) -> Analysis {
        var sample = SampleModel()
        let root = sample.queue("com.apple.root.default-qos", kind: .global, width: 4_095)
        let state = sample.queue(label, target: root)
        let connectionQueues = (0..<connections).map { sample.queue("news.connection.\($0)", target: root) }
        let cache = sample.queue("news.cache", kind: .concurrent, width: 4_094, target: root)
        let network = sample.queue("news.network", target: root)
        let parser = sample.queue("news.network.parser", target: network)
        _ = sample.queue("news.unused", target: root)
        let stateCode = sample.code("NewsService/StateStore.swift", 42)
        let handlerCode = sample.code("NewsService/Connection.swift", 88)
        let stack = sample.stack([0x5000_1234, 0x7000_0042, 0x10])

        var queues = [sample.statistics(state, items: 41_233, busy: 310, lost: 412, handoffs: 1_250)]
        queues.append(sample.statistics(parser, items: 800, busy: 90, lost: 61, part: \.hierarchy))
        queues += connectionQueues.map { sample.statistics($0, items: 320, busy: 12, lost: 2, part: \.threadStart) }
        queues.append(sample.statistics(cache, items: 1_500_000, busy: 500, lost: 1, part: \.barrier))
        queues.append(sample.statistics(network, items: 12, busy: 1, lost: 0))

        return Analysis(
            trace: sample.summary(events: 1_612_331),
            quality: Quality(checks: [
                .init(id: "no-overlap", checked: 41_233, violations: 0, detail: "Conflicting items never overlap."),
                .init(
                    id: "fifo-order", checked: 41_233, violations: 2,
                    detail: "Items of a serial queue begin in order."),
            ]),
            queues: queues,
            threads: sample.threads(busy: [820, 610, 55, 0], blocked: [100, 300, 1_500, 0]),
            findings: [
                staircase(state, code: stateCode), overlap(connectionQueues, code: handlerCode),
                retarget(network, code: handlerCode, stack: stack),
            ],
            model: sample.model)
    }

    /// A trace without findings.
    static func clean(events: Int = 10, discarded: Int = 0, notes: [String] = []) -> Analysis {
        var sample = SampleModel()
        let root = sample.queue("com.apple.root.default-qos", kind: .global, width: 4_095)
        let queue = sample.queue("news.network", target: root)
        return Analysis(
            trace: sample.summary(events: events, discarded: discarded, notes: notes),
            quality: Quality(checks: [.init(id: "no-overlap", checked: 5, violations: 0, detail: "No overlap.")]),
            queues: [sample.statistics(queue, items: 5, busy: 1, lost: 3)],
            threads: sample.threads(busy: [1], blocked: [0]), findings: [], model: sample.model)
    }

    private static func staircase(_ queue: QueueIndex, code: CodeIndex) -> Finding {
        var finding = Finding(
            detector: "staircase-contention", severity: .warning,
            summary: "9 threads hand news.state to each other in 1,250 steps of 4.10 µs; the hand-offs lost 412 ms.",
            queues: [queue], begin: Timestamp(nanoseconds: 120_345_000), end: Timestamp(nanoseconds: 1_800_000_999),
            cost: .milliseconds(412), occurrences: 37,
            measures: [
                .count("steps", 1_250), .count("threads", 9), .rate("switches per second", 743.6),
                .duration("median hold", Nanoseconds(4_100)), Measure("efficiency", "31%"),
                Measure("worst waiter", "worker 4713, \(Nanoseconds(83_000))"),
                .duration("an unfair lock saves", .milliseconds(301)),
            ],
            evidence: (0..<7).map {
                Evidence(
                    time: Timestamp(nanoseconds: 120_345_000 + Int64($0) * 12_000), thread: ThreadIndex($0 % 3),
                    event: "sync_handoff", detail: "waited 11.2 µs, got news.state from worker \(4_712 + ($0 + 1) % 3)")
            },
            code: [code],
            advice: Advice(
                .useLock, "Replace the sync on \("news.state", .queue) by an unfair lock: it guards a few machine ",
                "words for 4 µs. Where the caller needs no result, use async."))
        finding.id = "F1"
        return finding
    }

    private static func overlap(_ queues: [QueueIndex], code: CodeIndex) -> Finding {
        var finding = Finding(
            detector: "overlapping-handlers", severity: .warning,
            summary:
                "Handlers of 64 queues news.connection.* run at once for 20 µs each; waking the threads costs more.",
            queues: queues, begin: Timestamp(nanoseconds: 5_000), end: Timestamp(nanoseconds: 1_700_000_000),
            cost: .milliseconds(96), occurrences: 212, measures: [Measure("peak", "\(4) at once")], evidence: [],
            code: [code],
            advice: Advice(.shareTargetQueue, "Give the queues one serial target."),
            caveat: "12 events were discarded in this window.")
        finding.id = "F2"
        return finding
    }

    private static func retarget(_ queue: QueueIndex, code: CodeIndex, stack: StackIndex) -> Finding {
        var finding = Finding(
            detector: "retarget-after-activation", severity: .error,
            summary: "The target of news.network is set after its activation, which stops the process on Linux.",
            queues: [queue], begin: Timestamp(nanoseconds: 7_000), end: Timestamp(nanoseconds: 7_000), cost: .zero,
            occurrences: 1, measures: [], evidence: [], code: [code],
            stacks: [("retargeted here", stack), ("activated here", stack)],
            advice: Advice(.setUpFirst, "Set the target before activate()."))
        finding.id = "F3"
        return finding
    }
}
