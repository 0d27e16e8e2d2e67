import DispatchModel
import Glibc

/// The activity of a group of items, per block of time and over the whole run.
///
/// The blocks are the sample of a comparison of two runs. Neighbouring items wait for the same causes, so single items
/// are not independent. Means over blocks are much less dependent.
struct ActivitySeries {
    struct Block {
        var items = 0
        /// Sums of logarithms, so that one long wait does not hide a thousand short ones.
        var logWait = 0.0
        var logService = 0.0
        var handoffs = 0
        var switches = 0

        static func + (left: Self, right: Self) -> Self {
            Block(
                items: left.items + right.items, logWait: left.logWait + right.logWait,
                logService: left.logService + right.logService, handoffs: left.handoffs + right.handoffs,
                switches: left.switches + right.switches)
        }
    }

    /// Added before the logarithm, in nanoseconds, so that differences below a microsecond have little weight.
    private static let logOffset = 1_000.0

    private(set) var blocks: [Block] = []
    private(set) var wait = LatencyRecorder()
    private(set) var service = LatencyRecorder()
    private(set) var waitTotal = Nanoseconds.zero
    private(set) var overlap = OverlapSweep()
    private(set) var hasSwitches = false

    mutating func add(_ item: Item, block: Int, settled: Timestamp) {
        blocks.reach(block, Block())
        let weight = item.weight
        blocks[block].items += weight
        blocks[block].logWait += Self.logarithm(item.wait) * Double(weight)
        blocks[block].logService += Self.logarithm(item.service) * Double(weight)
        if item.handedOverBy != nil { blocks[block].handoffs += 1 }
        if let times = item.processorTimes {
            blocks[block].switches += times.switches * weight
            hasSwitches = true
        }
        wait.record(item.wait, times: weight)
        service.record(item.service, times: weight)
        waitTotal += Nanoseconds(item.wait.count &* Int64(weight))
        overlap.add(begin: item.beganAt, end: item.endedAt, settled: settled)
    }

    private static func logarithm(_ time: Nanoseconds) -> Double { log(Double(max(0, time.count)) + logOffset) }

    /// Converts a mean of logarithms to a time.
    static func time(ofLogarithm value: Double) -> Double { max(0, exp(value) - logOffset) }

    /// Merges each pair of blocks into one.
    mutating func halve() {
        blocks = stride(from: 0, to: blocks.count, by: 2).map {
            $0 + 1 < blocks.count ? blocks[$0] + blocks[$0 + 1] : blocks[$0]
        }
    }

    mutating func finish() { overlap.advance(until: .distantFuture) }

    mutating func merge(_ other: Self) {
        while blocks.count < other.blocks.count { blocks.append(Block()) }
        for (position, block) in other.blocks.enumerated() { blocks[position] = blocks[position] + block }
        wait.merge(other.wait)
        service.merge(other.service)
        waitTotal += other.waitTotal
        overlap.merge(other.overlap)
        hasSwitches = hasSwitches || other.hasSwitches
    }
}
