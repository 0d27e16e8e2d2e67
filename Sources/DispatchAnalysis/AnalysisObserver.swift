import DispatchModel

/// Hands every observation to the statistics, the detectors and whoever else wants it, in one call per observation.
final class AnalysisObserver: ModelObserver {
    /// What is called for every observation. It lives in memory of its own: every look into a property of a class is
    /// checked for exclusive access at run time, which would cost more than the statistics themselves.
    private struct Followers {
        var statistics = StatisticsCollector()
        var detectors: [any Detector]
        /// Parallel to `detectors`: what each follows.
        let follows: [ObservationKinds]
        /// Positions of the detectors that follow items.
        let itemDetectors: [Int]
        var observers: [any ModelObserver & AnyObject]
    }

    private let followers: UnsafeMutablePointer<Followers>

    init(
        detectors: [any Detector.Type], thresholds: ThresholdSettings, observers: [any ModelObserver & AnyObject]
    ) {
        followers = .allocate(capacity: 1)
        followers.initialize(
            to: Followers(
                detectors: detectors.map { $0.init(thresholds: Thresholds(of: $0, thresholds)) },
                follows: detectors.map { $0.follows },
                itemDetectors: detectors.indices.filter { detectors[$0].follows.contains(.items) },
                observers: observers))
    }

    deinit {
        followers.deinitialize(count: 1)
        followers.deallocate()
    }

    var statistics: StatisticsCollector { followers.pointee.statistics }

    /// What the statistics, the detectors and the other observers read, all together.
    var followed: ObservationKinds {
        let ours = followers.pointee.follows.reduce(StatisticsCollector.follows) { $0.union($1) }
        return followers.pointee.observers.reduce(ours) { $0.union($1.followed) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        followers.pointee.statistics.observe(observation)
        let kind = observation.kind
        for position in followers.pointee.follows.indices
        where !followers.pointee.follows[position].isDisjoint(with: kind) {
            followers.pointee.detectors[position].observe(observation, in: model)
        }
        for observer in followers.pointee.observers.indices {
            followers.pointee.observers[observer].observe(observation, in: model)
        }
    }

    func observe(_ item: Item, in model: DispatchModel) {
        followers.pointee.statistics.observe(item)
        for position in followers.pointee.itemDetectors {
            followers.pointee.detectors[position].observe(item, in: model)
        }
        for observer in followers.pointee.observers.indices {
            followers.pointee.observers[observer].observe(item, in: model)
        }
    }

    /// The findings of all detectors, those with one cause merged, ranked and numbered, with a caveat when the recorder
    /// discarded events.
    func findings(in model: DispatchModel, discarded: Int) -> [Finding] {
        var findings: [Finding] = []
        for position in followers.pointee.detectors.indices {
            findings += followers.pointee.detectors[position].findings(in: model)
        }
        let foreign = ForeignCode(model: model)
        let merged = FindingMerger.merged(
            findings.map(foreign.judged), detectors: followers.pointee.detectors.map { type(of: $0) }, in: model)
        return Ranking.ranked(merged, discarded: discarded)
    }
}
