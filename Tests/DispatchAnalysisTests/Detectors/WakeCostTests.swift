import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

/// The cost of waking a worker, and the items for which a worker woke.
@Suite struct WakeCostTests {
    private final class Meter: ModelObserver {
        var wakes: [Item.Wake] = []
        var cost = WakeCost()
        let followed: ObservationKinds = .items

        func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
            for position in 0..<batch.itemCount {
                wakes.append(batch.row(position).wake)
            }
            for position in 0..<batch.wakeCount { cost.add(batch.wake(position)) }
        }

        func observe(_ observation: Observation, in model: DispatchModel) {}
    }

    private func meter(_ trace: TraceBuilder, processors: Int = 2) -> (meter: Meter, model: DispatchModel) {
        let meter = Meter()
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(
            events: trace.events, processors: UsableProcessors(allowed: processors), observers: [meter])
        return (meter, analysis.model)
    }

    //   worker   park ····· unpark ├─ a ─┤├─ b ─┤ park     a: the worker woke for it; b: it was awake
    @Test("A worker wakes for the first item after its unpark, if the item was submitted earlier")
    func kinds() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(2, of: root, made: 8, started: 20)
        trace.async(on: root, at: 7, begin: 21, end: 22, thread: 2)
        trace.park(2, of: root, at: 30, asked: 50, until: 60)
        trace.async(on: root, at: 49, begin: 61, end: 62, thread: 2)
        trace.async(on: root, at: 50, begin: 63, end: 64, thread: 2)
        trace.async(on: root, at: 65, begin: 66, end: 67, thread: 3)
        #expect(meter(trace).meter.wakes == [.started, .unparked, .none, .unknown])
    }

    //   threads 5, 6  ├──── items on both processors ────┤
    //   worker 2          unpark ├─ a ─┤                       it also waited for a processor
    @Test("A wake on a busy machine counts as a wake, but not as a sample")
    func delayed() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(2, of: root, made: 1, started: 2)
        trace.park(2, of: root, at: 3, asked: 50, until: 900)
        for thread in [UInt32(5), 6] { trace.async(on: root, at: 4, begin: 5, end: 2000, thread: thread) }
        trace.async(on: root, at: 49, begin: 901, end: 902, thread: 2)
        #expect(meter(trace).meter.wakes.first == .delayed)
        #expect(meter(trace, processors: 4).meter.wakes.first == .unparked)
    }

    @Test("The cost is measured for each root queue, and assumed where there are too few wakes")
    func perRoot() {
        var trace = TraceBuilder()
        let roots = [trace.globalQueue("com.apple.root.default-qos"), trace.globalQueue("com.apple.root.utility-qos")]
        for (number, root) in roots.enumerated() {
            let (worker, latency) = (UInt32(10 + number), number == 0 ? 8.0 : 30)
            trace.worker(worker, of: root, made: 1, started: 2)
            for turn in 0..<20 {
                let time = 1000 * Double(turn + 1) + 400 * Double(number)
                trace.park(worker, of: root, at: time - 100, asked: time, until: time + latency - 1)
                trace.async(on: root, at: time, begin: time + latency, end: time + latency + 2, thread: worker)
            }
        }
        let (meter, model) = meter(trace)
        func estimate(_ label: String) -> WakeCost.Estimate {
            meter.cost.estimate(of: model.queues.first { $0.label == label }?.index)
        }
        #expect(estimate("com.apple.root.default-qos").usual == .microseconds(8))
        #expect(estimate("com.apple.root.utility-qos").usual == .microseconds(30))
        #expect(meter.cost.estimate().samples == 40)
        #expect(WakeCost().estimate().samples == 0)
        #expect(WakeCost().estimate().usual == WakeCost.usual)
    }
}
