import DispatchModel

/// Hands every observation to the statistics, the detectors and whoever else wants it, in one call per observation.
final class AnalysisObserver: ModelObserver {
    // What is called for every observation lives in memory of its own: every look into a property of a class is checked
    // for exclusive access at run time, and every loop over an array counts references, which would cost more than the
    // statistics themselves.
    private let collector: UnsafeMutablePointer<StatisticsCollector>
    private let detectors: UnsafeMutableBufferPointer<any Detector>
    /// Parallel to `detectors`: what each follows.
    private let follows: UnsafeMutableBufferPointer<ObservationKinds>
    /// Positions of the detectors that follow items.
    private let itemDetectors: UnsafeMutableBufferPointer<Int>
    /// Positions of the detectors that follow barriers, and no other items.
    private let barrierDetectors: UnsafeMutableBufferPointer<Int>
    private let observers: UnsafeMutableBufferPointer<any ModelObserver & AnyObject>

    init(
        detectors: [any Detector.Type], thresholds: ThresholdSettings, observers: [any ModelObserver & AnyObject]
    ) {
        collector = .allocate(capacity: 1)
        collector.initialize(to: StatisticsCollector())
        self.detectors = Self.memory(detectors.map { $0.init(thresholds: Thresholds(of: $0, thresholds)) })
        follows = Self.memory(detectors.map { $0.follows })
        itemDetectors = Self.memory(detectors.indices.filter { detectors[$0].follows.contains(.items) })
        barrierDetectors = Self.memory(
            detectors.indices.filter {
                detectors[$0].follows.contains(.barriers) && !detectors[$0].follows.contains(.items)
            })
        self.observers = Self.memory(observers)
    }

    private static func memory<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return memory
    }

    deinit {
        collector.deinitialize(count: 1)
        collector.deallocate()
        detectors.deinitialize().deallocate()
        follows.deinitialize().deallocate()
        itemDetectors.deinitialize().deallocate()
        barrierDetectors.deinitialize().deallocate()
        observers.deinitialize().deallocate()
    }

    var statistics: StatisticsCollector { collector.pointee }

    /// What the statistics, the detectors and the other observers read, all together.
    var followed: ObservationKinds {
        let ours = follows.reduce(StatisticsCollector.follows) { $0.union($1) }
        return observers.reduce(ours) { $0.union($1.followed) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        collector.pointee.observe(observation)
        let kind = observation.kind
        for position in 0..<follows.count where !follows[position].isDisjoint(with: kind) {
            detectors[position].observe(observation, in: model)
        }
        for position in 0..<observers.count { observers[position].observe(observation, in: model) }
    }

    func observe(_ item: Item, in model: DispatchModel) {
        collector.pointee.observe(item)
        for place in 0..<itemDetectors.count { detectors[itemDetectors[place]].observe(item, in: model) }
        if item.isBarrier {
            for place in 0..<barrierDetectors.count { detectors[barrierDetectors[place]].observe(item, in: model) }
        }
        for position in 0..<observers.count { observers[position].observe(item, in: model) }
    }

    /// The findings of all detectors, those with one cause merged, ranked and numbered, with a caveat where events are
    /// missing.
    func findings(in model: DispatchModel, missing: [MissingEvents]) -> [Finding] {
        var findings: [Finding] = []
        for position in detectors.indices {
            findings += detectors[position].findings(in: model)
        }
        let merged = FindingMerger.merged(
            findings.map { SystemCode.judged($0, in: model) }, detectors: self.detectors.map { type(of: $0) }, in: model
        )
        return Ranking.ranked(merged, missing: missing)
    }
}
