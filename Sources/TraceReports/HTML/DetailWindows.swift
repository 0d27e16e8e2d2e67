import CTFReader
import DispatchAnalysis
import DispatchModel

/// The stretches of time around the evidence of findings, in which the timeline shows everything.
///
/// ```
///   F1       ├─ evidence ± margin ─┤
///   F2                    ├────────────────┤
///   rank     0000000000000000000000011111111
/// ```
///
/// Its size is bounded by the number of findings and their evidence, which are bounded.
public struct DetailWindows: Sendable {
    /// Windows, each of the finding that ranks first in it: without overlap, in the order of time.
    struct Window: Equatable {
        let begin: Int64
        let end: Int64
        /// The finding's position.
        let rank: Int
    }

    /// Findings behind this one have no window of their own.
    static let mostFindings = 100

    private(set) var windows: [Window] = []

    /// No windows.
    public init() {}

    /// - Parameters:
    ///   - findings: the costliest first.
    ///   - duration: the trace's, to which the margin is proportional.
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

    /// A five-hundredth of the trace, and between 0.2 and 20 ms: some screens of single items, and with fifty instants
    /// of evidence still a small part of the trace.
    static func margin(in duration: Nanoseconds) -> Int64 { min(20_000_000, max(200_000, duration.count / 500)) }

    private mutating func append(_ window: Window) {
        if let last = windows.last, last.end == window.begin, last.rank == window.rank {
            windows[windows.count - 1] = Window(begin: last.begin, end: window.end, rank: last.rank)
        } else {
            windows.append(window)
        }
    }

    /// The first finding whose window an interval touches; nil when it touches none.
    ///
    /// - Complexity: O(log n) in the number of windows, and the number of those that it touches.
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
