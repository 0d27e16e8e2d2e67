import CTFReader
import DispatchAnalysis
import DispatchModel

/// The intervals around the evidence of findings, in which the timeline keeps all details.
///
/// ```
///   F1       ├─ evidence ± margin ─┤
///   F2                    ├────────────────┤
///   rank     0000000000000000000000011111111
/// ```
///
/// The number of windows is bounded by the number of findings and their evidence, which are bounded.
public struct DetailWindows: Sendable {
    /// An interval without overlap with others, in order of time. It belongs to the finding with the lowest rank in it.
    struct Window: Equatable {
        let begin: Int64
        let end: Int64
        /// The index of the finding.
        let rank: Int
    }

    /// Findings with a higher rank have no windows.
    static let mostFindings = 100

    private(set) var windows: [Window] = []

    /// Creates an empty set of windows.
    public init() {}

    /// - Parameters:
    ///   - findings: the findings, the most important first.
    ///   - duration: the duration of the trace; the margin is proportional to it.
    public init(around findings: [Finding], in duration: Nanoseconds) {
        let margin = Self.margin(in: duration)
        var edges: [(time: Int64, rank: Int, opens: Bool)] = []
        for (rank, finding) in findings.prefix(Self.mostFindings).enumerated() {
            var instants = finding.evidence.map(\.time.nanoseconds)
            if instants.isEmpty { instants = [finding.begin.nanoseconds, finding.end.nanoseconds] }
            for instant in instants {
                edges.append((max(0, instant - margin), rank, true))
                edges.append((instant + margin, rank, false))
            }
        }
        edges.sort { ($0.time, $0.rank) < ($1.time, $1.rank) }
        var open = [Int](repeating: 0, count: Self.mostFindings)
        var since: Int64 = 0
        for edge in edges {
            if let rank = open.firstIndex(where: { $0 > 0 }), since < edge.time {
                append(Window(begin: since, end: edge.time, rank: rank))
            }
            since = edge.time
            open[edge.rank] += edge.opens ? 1 : -1
        }
    }

    /// The margin around an instant: 1/500 of the trace, between 0.2 and 20 ms. That is several screens of single
    /// items, and with 50 instants of evidence still a small part of the trace.
    static func margin(in duration: Nanoseconds) -> Int64 { min(20_000_000, max(200_000, duration.count / 500)) }

    private mutating func append(_ window: Window) {
        if let last = windows.last, last.end == window.begin, last.rank == window.rank {
            windows[windows.count - 1] = Window(begin: last.begin, end: window.end, rank: last.rank)
        } else {
            windows.append(window)
        }
    }

    /// The lowest rank of a finding whose window overlaps an interval; nil when there is none.
    ///
    /// - Complexity: O(log n) in the number of windows, plus the number of windows in the interval.
    func rank(from begin: Int64, to end: Int64) -> Int? {
        guard let last = windows.last, begin < last.end else { return nil }
        var best: Int?
        for window in windows[windows.partitioningIndex { $0.end > begin }...] {
            if window.begin > end || best == 0 { break }
            best = min(best ?? .max, window.rank)
        }
        return best
    }
}
