import DispatchModel

/// The activity of one run by queue and by code, for a comparison with another run. It observes an analysis.
///
/// Queues whose labels differ only in numbers are one group. Memory grows with groups, not with events: a run has 32 to
/// 64 blocks of time, whose length doubles as the trace grows. Not thread-safe.
public final class RunProfile: ModelObserver {
    private static let mostBlocks = 64
    private static let firstBlock = Nanoseconds.microseconds(50)

    private var blockLength = firstBlock
    private var queuePlaces = PlaceTable()
    private var queuePatterns: [String: Int] = [:]
    private var queues: [(name: String, series: ActivitySeries)] = []
    /// By position of the code.
    private var codes: [ActivitySeries?] = []

    /// Creates an empty profile.
    public init() {}

    public var followed: ObservationKinds { .items }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .item(let item) = observation, item.isFinished else { return }
        let ended = max(0, (item.endedAt - model.begin).count)
        while ended >= blockLength.count * Int64(Self.mostBlocks) { doubleBlocks() }
        let block = Int(ended / blockLength.count)
        queues[place(of: item.queue, in: model)].series.add(item, block: block, settled: model.settledUntil)
        guard item.code != .unknown else { return }
        codes.reach(item.code.position, nil)
        if codes[item.code.position] == nil { codes[item.code.position] = ActivitySeries() }
        codes[item.code.position]?.add(item, block: block, settled: model.settledUntil)
    }

    private func place(of queue: QueueIndex, in model: DispatchModel) -> Int {
        let known = queuePlaces[queue.position]
        if known >= 0 { return known }
        let pattern = LabelPattern.of(model[queue].name)
        let place = queuePatterns[pattern] ?? queues.count
        if place == queues.count {
            queuePatterns[pattern] = place
            queues.append((pattern, ActivitySeries()))
        }
        queuePlaces[queue.position] = place
        return place
    }

    private func doubleBlocks() {
        blockLength = blockLength + blockLength
        for position in queues.indices { queues[position].series.halve() }
        for position in codes.indices { codes[position]?.halve() }
    }

    /// The groups of queues, by the pattern of their labels.
    func queueGroups(duration: Nanoseconds) -> [ActivityGroup] {
        queues.map { name, series in group(name, series, duration) }
    }

    /// The groups of code, by the names that `name` returns. Code without a name is left out.
    func codeGroups(duration: Nanoseconds, name: (CodeIndex) -> String) -> [ActivityGroup] {
        var groups: [String: ActivitySeries] = [:]
        for (position, series) in codes.enumerated() {
            guard let series, case let name = name(CodeIndex(position)), !name.isEmpty else { continue }
            groups[name, default: ActivitySeries()].merge(finished(series))
        }
        return groups.map { name, series in group(name, series, duration) }
    }

    private func finished(_ series: ActivitySeries) -> ActivitySeries {
        var series = series
        series.finish()
        return series
    }

    private func group(_ name: String, _ series: ActivitySeries, _ duration: Nanoseconds) -> ActivityGroup {
        ActivityGroup(name: name, series: finished(series), blockLength: blockLength, duration: duration)
    }
}

/// A group of items of one run, with the samples for a comparison.
struct ActivityGroup {
    let name: String
    let series: ActivitySeries
    let blockLength: Nanoseconds
    let duration: Nanoseconds

    /// The sample of a measure, with one value per block; empty if the measure was not recorded.
    func sample(_ measure: Comparison.Measure) -> [Double] {
        let active = series.blocks.filter { $0.items > 0 }
        switch measure {
        case .rate:
            // Blocks without items count. The last block is left out, because it is shorter than the others.
            let whole = Int(duration.count / blockLength.count)
            let seconds = Double(blockLength.count) / 1e9
            return (0..<whole).map { Double($0 < series.blocks.count ? series.blocks[$0].items : 0) / seconds }
        case .wait: return active.map { $0.logWait / Double($0.items) }
        case .service: return active.map { $0.logService / Double($0.items) }
        case .handoffs: return active.map { Double($0.handoffs) / Double($0.items) }
        case .switches: return series.hasSwitches ? active.map { Double($0.switches) / Double($0.items) } : []
        }
    }

    /// The typical value of a sample, in the unit of the measure: the median for times, the mean for the others.
    static func typical(_ measure: Comparison.Measure, of sample: [Double]) -> Double {
        guard !sample.isEmpty else { return 0 }
        switch measure {
        case .wait, .service: return ActivitySeries.time(ofLogarithm: sample.sorted()[sample.count / 2])
        case .rate, .handoffs, .switches: return sample.reduce(0, +) / Double(sample.count)
        }
    }

    var side: Comparison.Side {
        Comparison.Side(
            items: series.wait.count, rate: Double(series.wait.count) * 1e9 / Double(max(1, duration.count)),
            wait: series.wait.percentiles, service: series.service.percentiles, waitTotal: series.waitTotal,
            handoffs: series.blocks.reduce(0) { $0 + $1.handoffs },
            switches: series.hasSwitches ? series.blocks.reduce(0) { $0 + $1.switches } : nil,
            overlap: series.overlap.share)
    }
}
