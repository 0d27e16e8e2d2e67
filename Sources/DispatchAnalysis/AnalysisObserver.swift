import DispatchModel

/// A detector in memory of its own. An existential would be looked into, and checked for being shared, at every call.
private class HeldDetector {
    func observe(_ observation: Observation, in model: DispatchModel) {}
    func observe(_ item: Item, in model: DispatchModel) {}
    func findings(in model: DispatchModel) -> [Finding] { [] }

    static func hold<Held: Detector>(_ type: Held.Type, _ thresholds: ThresholdSettings) -> HeldDetector {
        HeldDetectorOf<Held>(Held(thresholds: Thresholds(of: type, thresholds)))
    }
}

private final class HeldDetectorOf<Held: Detector>: HeldDetector {
    private let detector: UnsafeMutablePointer<Held>

    init(_ detector: Held) {
        self.detector = .allocate(capacity: 1)
        self.detector.initialize(to: detector)
    }

    deinit {
        detector.deinitialize(count: 1)
        detector.deallocate()
    }

    override func observe(_ observation: Observation, in model: DispatchModel) {
        detector.pointee.observe(observation, in: model)
    }

    override func observe(_ item: Item, in model: DispatchModel) { detector.pointee.observe(item, in: model) }

    override func findings(in model: DispatchModel) -> [Finding] { detector.pointee.findings(in: model) }
}

/// Hands every observation to the statistics, the detectors and whoever else wants it, in one call per observation.
final class AnalysisObserver: ModelObserver {
    // What is called for every observation lives in memory of its own: every look into a property of a class is checked
    // for exclusive access at run time, and every loop over an array counts references, which would cost more than the
    // statistics themselves.
    private typealias Followers = UnsafeMutableBufferPointer<Unmanaged<HeldDetector>>
    private let collector: UnsafeMutablePointer<StatisticsCollector>
    private let observers: UnsafeMutableBufferPointer<any ModelObserver & AnyObject>
    /// The detectors that follow a kind of observation, by the number of its bit.
    private let followers: UnsafeMutableBufferPointer<Followers>
    /// The detectors that follow items; barriers, and no other items.
    private let itemFollowers: Followers
    private let barrierFollowers: Followers

    private let types: [any Detector.Type]
    private let detectors: [HeldDetector]

    init(
        detectors types: [any Detector.Type], thresholds: ThresholdSettings,
        observers: [any ModelObserver & AnyObject]
    ) {
        let detectors = types.map { HeldDetector.hold($0, thresholds) }
        func followers(where follows: (ObservationKinds) -> Bool) -> Followers {
            Self.memory(types.indices.filter { follows(types[$0].follows) }.map { .passUnretained(detectors[$0]) })
        }
        self.types = types
        self.detectors = detectors
        collector = .allocate(capacity: 1)
        collector.initialize(to: StatisticsCollector())
        self.observers = Self.memory(observers)
        self.followers = Self.memory(
            (0..<32).map { bit in followers { $0.contains(ObservationKinds(rawValue: 1 << bit)) } })
        itemFollowers = followers { $0.contains(.items) }
        barrierFollowers = followers { $0.contains(.barriers) && !$0.contains(.items) }
    }

    private static func memory<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return memory
    }

    deinit {
        collector.deinitialize(count: 1)
        collector.deallocate()
        observers.deinitialize().deallocate()
        for kind in followers { kind.deallocate() }
        followers.deallocate()
        itemFollowers.deallocate()
        barrierFollowers.deallocate()
    }

    var statistics: StatisticsCollector { collector.pointee }

    /// What the statistics, the detectors and the other observers read, all together.
    var followed: ObservationKinds {
        let ours = types.reduce(StatisticsCollector.follows) { $0.union($1.follows) }
        return observers.reduce(ours) { $0.union($1.followed) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .item(let item) = observation { return observe(item, in: model) }
        collector.pointee.observe(observation)
        for detector in followers[observation.kind.rawValue.trailingZeroBitCount] {
            detector._withUnsafeGuaranteedRef { $0.observe(observation, in: model) }
        }
        for position in 0..<observers.count { observers[position].observe(observation, in: model) }
    }

    func observe(_ item: Item, in model: DispatchModel) {
        collector.pointee.observe(item)
        for detector in itemFollowers { detector._withUnsafeGuaranteedRef { $0.observe(item, in: model) } }
        if item.isBarrier {
            for detector in barrierFollowers { detector._withUnsafeGuaranteedRef { $0.observe(item, in: model) } }
        }
        for position in 0..<observers.count { observers[position].observe(item, in: model) }
    }

    /// The findings of all detectors, those with one cause merged, ranked and numbered, with a caveat where events are
    /// missing.
    func findings(in model: DispatchModel, missing: [MissingEvents]) -> [Finding] {
        let findings = detectors.flatMap { $0.findings(in: model) }
        let merged = FindingMerger.merged(
            findings.map { SystemCode.judged($0, in: model) }, detectors: types, in: model)
        return Ranking.ranked(merged, missing: missing)
    }
}
