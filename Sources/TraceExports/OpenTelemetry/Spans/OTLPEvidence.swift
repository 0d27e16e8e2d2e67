import CTFReader
import DispatchAnalysis
import DispatchModel

/// The evidence of the findings, by thread and time, for the events of the spans in which it was recorded.
struct OTLPEvidence {
    private struct Fact {
        let time: Timestamp
        let finding: Int
        let detail: String
    }

    private let findings: [Finding]
    private let origin: Int64
    /// In order of time.
    private var facts: [ThreadIndex: [Fact]] = [:]
    /// The facts of each interval of a request, one per finding.
    private var byInterval: [Int: [Fact]] = [:]
    /// The intervals of each finding.
    private var intervals: [Set<Int>]

    /// - Parameters:
    ///   - findings: the findings of the process.
    ///   - contexts: the spans of requests.
    ///   - origin: the time zero of the trace, in nanoseconds since 1970-01-01T00:00:00Z.
    init(_ findings: [Finding], _ contexts: OTLPContexts, origin: Int64) {
        (self.findings, self.origin) = (findings, origin)
        intervals = Array(repeating: [], count: findings.count)
        for (number, finding) in findings.enumerated() {
            for evidence in finding.evidence {
                let fact = Fact(time: evidence.time, finding: number, detail: evidence.detail)
                facts[evidence.thread, default: []].append(fact)
                guard let place = contexts.place(on: evidence.thread, at: evidence.time, until: evidence.time) else {
                    continue
                }
                let interval = contexts.request(of: place)
                if intervals[number].insert(interval).inserted { byInterval[interval, default: []].append(fact) }
            }
        }
        for thread in facts.keys { facts[thread]?.sort { $0.time < $1.time } }
    }

    /// The intervals of requests in which evidence of a finding was recorded, in order, at most as many as a span may
    /// have links.
    func intervals(of finding: Int) -> [Int] {
        Array(intervals[finding].sorted().prefix(OTLPContextRecorder.eventLimit))
    }

    /// The events of an interval.
    func events(of interval: Int) -> [OTLPSpan.Event] { (byInterval[interval] ?? []).map(event) }

    /// The events of the work of a thread.
    func events(on thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> [OTLPSpan.Event] {
        guard let facts = facts[thread] else { return [] }
        let first = facts.partitioningIndex { $0.time >= begin }
        return facts[first...].prefix(OTLPContextRecorder.eventLimit).prefix { $0.time <= end }.map(event)
    }

    private func event(_ fact: Fact) -> OTLPSpan.Event {
        let finding = findings[fact.finding]
        return OTLPSpan.Event(
            time: origin + fact.time.nanoseconds, name: "queuescope.finding",
            attributes: [
                .text("queuescope.finding.id", finding.id), .text("queuescope.finding.detector", finding.detector),
                .text("queuescope.finding.severity", finding.severity.rawValue),
                .text("queuescope.finding.summary", finding.summary),
                .text("queuescope.finding.evidence", fact.detail),
            ])
    }
}
