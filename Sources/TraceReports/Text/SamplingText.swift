import DispatchAnalysis
import DispatchModel
import ReportText

/// The words about the items and tasks that the recorder sampled.
enum SamplingText {
    /// The rate, the confidence and the cost: one paragraph. Nil for a trace with all items.
    static func paragraph(of analysis: Analysis) -> String? {
        guard let sample = analysis.sample else { return nil }
        let sampling = analysis.model.sampling
        return "one of \(number(of: sampling.strides)) \(recorded(of: sample)). Counts are estimates, within "
            + "±\(percent(sample.error.relative)) for all items; waits of threads are complete" + cost(of: sampling)
    }

    private static func recorded(of sample: SampleTotals) -> String {
        let (recorded, items) = (CompactNumber.grouped(sample.recorded), CompactNumber.grouped(sample.items))
        guard sample.recordedTasks > 0 else { return "items: \(recorded) recorded for about \(items)" }
        let (recordedTasks, tasks) = (CompactNumber.grouped(sample.recordedTasks), CompactNumber.grouped(sample.tasks))
        return "items and tasks: \(recorded) items recorded for about \(items), and \(recordedTasks) tasks for about "
            + "\(tasks)"
    }

    /// `16`, `1 to 16`.
    private static func number(of strides: ClosedRange<Int>) -> String {
        strides.count == 1 ? "\(strides.lowerBound)" : "\(strides.lowerBound) to \(strides.upperBound)"
    }

    private static func cost(of sampling: ItemSampling) -> String {
        return switch (sampling.cost.map { share($0) }, sampling.budget.map { share($0) }) {
        case (let cost?, let budget?): ". The recorder used \(cost) of the processor time; its budget is \(budget)"
        case (let cost?, nil): ". The recorder used \(cost) of the processor time"
        case (nil, let budget?): ". The budget of the recorder is \(budget) of the processor time"
        case (nil, nil): ""
        }
    }

    /// A share in millionths: `0.93%`.
    private static func share(_ millionths: Int) -> String { percent(Double(millionths) / 1e6) }

    /// A percentage with two significant digits below 10: `0.93%`, `1.7%`, `24%`.
    private static func percent(_ share: Double) -> String {
        let places = share >= 0.0995 ? 0 : share >= 0.00995 ? 1 : 2
        let scale = [100.0, 1_000, 10_000][places]
        let scaled = Int64((min(share, 1_000) * scale).rounded())
        return (places == 0 ? "\(scaled)" : CompactNumber.decimal(scaled, places: places)) + "%"
    }
}
