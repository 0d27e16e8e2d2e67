import DispatchModel

/// A process in which the queues of one name differ from the same queues of the other processes.
///
/// ```
///   wait p99 of news.state   box-1 ▏▏  box-2 ▏▏▏  box-3 ▏▏  box-4 ▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏
///                                  ╰── median and spread ──╯         ╰ outlier
/// ```
///
/// A figure is an outlier when it exceeds the values of the other processes by all of these criteria:
///
/// - **ratio**: at least twice the median of the others. With fewer than three others, at least four times, because the
///   usual spread between such processes is unknown.
/// - **spread**, with three others or more: more than 3.5 standard deviations of the others, estimated by the median
///   absolute deviation × 1.4826 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993), so that one outlier
///   does not hide another.
/// - **size**: the difference is at least 50 µs for times, 10 percentage points for utilisation, and 5 hand-offs per
///   100 items.
/// - **counts**: all compared processes ran at least 50 items. Percentiles of fewer items are not reliable.
///
/// Only worse figures are reported: a process that waits less than the others is not a problem.
public struct FleetOutlier: Sendable, Equatable {
    /// A figure that is compared.
    public enum Figure: String, Sendable, CaseIterable {
        case waitP50 = "wait_p50"
        case waitP99 = "wait_p99"
        case serviceP50 = "service_p50"
        case utilisation
        case handoffs = "handoffs_per_item"
    }

    /// The position of the process in ``FleetAnalysis/processes``.
    public let process: Int
    /// The figure.
    public let figure: Figure
    /// Its value: nanoseconds, a share, or hand-offs per item.
    public let value: Double
    /// The median of the other processes' values, in the same unit.
    public let typical: Double

    /// The ratio of the value to the median of the others; nil when the median is zero.
    public var ratio: Double? { typical > 0 ? value / typical : nil }

    private static let leastItems = 50
    private static let leastRatio = 2.0
    private static let leastRatioOfFew = 4.0
    private static let leastScore = 3.5
    /// Factor from the median absolute deviation to the standard deviation of a normal distribution.
    private static let deviationScale = 1.4826

    /// The outliers among the queues of one name, by process and figure.
    static func all(of members: [QueueFigures]) -> [FleetOutlier] {
        let counted = members.filter { $0.items >= leastItems }
        guard counted.count > 1 else { return [] }
        var outliers: [FleetOutlier] = []
        for (position, member) in counted.enumerated() {
            for figure in Figure.allCases {
                let others = counted.indices.filter { $0 != position }.map { figure.value(of: counted[$0]) }
                let value = figure.value(of: member)
                guard isOutlier(value, among: others, leastDifference: figure.leastDifference) else { continue }
                outliers.append(
                    FleetOutlier(process: member.process, figure: figure, value: value, typical: median(others)))
            }
        }
        return outliers
    }

    private static func isOutlier(_ value: Double, among others: [Double], leastDifference: Double) -> Bool {
        let typical = median(others)
        let difference = value - typical
        guard difference >= leastDifference else { return false }
        guard value >= typical * (others.count < 3 ? leastRatioOfFew : leastRatio) else { return false }
        guard others.count >= 3 else { return true }
        let deviation = median(others.map { abs($0 - typical) }) * deviationScale
        return difference > leastScore * deviation
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension FleetOutlier.Figure {
    fileprivate func value(of figures: QueueFigures) -> Double {
        switch self {
        case .waitP50: Double(figures.waitP50.count)
        case .waitP99: Double(figures.waitP99.count)
        case .serviceP50: Double(figures.serviceP50.count)
        case .utilisation: figures.utilisation
        case .handoffs: Double(figures.handoffs) / Double(max(1, figures.items))
        }
    }

    fileprivate var leastDifference: Double {
        switch self {
        case .waitP50, .waitP99, .serviceP50: 50_000
        case .utilisation: 0.10
        case .handoffs: 0.05
        }
    }
}
