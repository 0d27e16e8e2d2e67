import DispatchAnalysis
import DispatchModel
import Scenarios

/// Measures the ``Gain`` of a scenario in a recording.
///
/// It observes the two quantities that the analysis has no statistics of.
final class GainMeasure: ModelObserver {
    var followed: ObservationKinds { [.applies, .keptChildren] }
    private var idle = Nanoseconds.zero
    private var keptChildren = 0

    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .apply(let call):
            idle += max(.zero, Nanoseconds((call.end - call.begin).count * Int64(call.threads)) - call.busy)
        case .keptChildren(let children): keptChildren = max(keptChildren, children.peak)
        default: break
        }
    }

    /// The value of a gain, in nanoseconds or as a number.
    ///
    /// - Parameters:
    ///   - gain: the quantity.
    ///   - detector: the detector of the scenario.
    ///   - analysis: the analysis of the recording, which this object observed.
    ///   - hasFailed: whether the program did not end with success.
    func value(of gain: Gain, for detector: String, in analysis: Analysis, hasFailed: Bool) -> Double {
        func sum(_ value: (ThreadStatistics) -> Nanoseconds) -> Nanoseconds {
            analysis.threads.reduce(.zero) { $0 + value($1) }
        }
        func longest(_ values: some Sequence<Nanoseconds>) -> Nanoseconds { values.max() ?? .zero }
        let time: Nanoseconds
        switch gain {
        case .duration: time = analysis.trace.duration
        case .processorTime: time = sum { $0.onProcessor ?? .zero }
        case .blockedTime: time = sum { $0.blocked }
        case .longestWait: time = longest(analysis.queues.map(\.wait.max))
        case .mainQueue:
            let queues = analysis.queues.filter {
                let queue = analysis.model[$0.queue]
                return queue.kind == .main || queue.isMainExecutor
            }
            time = longest(queues.map(\.service.max))
        case .eventLoop: time = longest(analysis.loops.map(\.queue.service.max))
        case .idleTime: time = idle
        case .switches: return Double(analysis.threads.reduce(0) { $0 + ($1.switches ?? 0) })
        case .workers: return Double(analysis.model.threads.count { $0.root != nil })
        case .keptChildren: return Double(keptChildren)
        case .work: return Double(analysis.queues.reduce(0) { $0 + $1.items })
        case .failedRuns: return hasFailed ? 1 : 0
        case .findings:
            return Double(
                analysis.findings.count { finding in
                    finding.detector == detector || finding.symptoms.contains { $0.detector == detector }
                })
        }
        return Double(time.count)
    }
}
