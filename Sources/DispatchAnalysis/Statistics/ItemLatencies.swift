import DispatchModel
import Glibc

/// The waits and service times of items, and their percentiles.
///
/// The first values are stored as pairs in one array. In a program with a thousand queues, each item belongs to another
/// queue than the one before, so each touched cache line costs as much as all other work for the item.
struct ItemLatencies: ~Copyable {
    /// Most pairs. Further values go to one recorder per side; see ``LatencyRecorder``.
    private static let pairLimit: Int32 = 16_384

    private struct Pair {
        let wait: UInt32
        let service: UInt32
    }

    /// The separate recorders of both sides.
    private struct Sides {
        var waits = LatencyRecorder()
        var services = LatencyRecorder()

        @inline(__always)
        mutating func record(_ wait: Nanoseconds, _ service: Nanoseconds) {
            waits.record(wait)
            services.record(service)
        }

        mutating func record(_ run: borrowing ItemRun) {
            if run.sums.wait == .zero { waits.record(zeros: run.count) } else { waits.record(run.waits) }
            services.record(run.services)
        }
    }

    // An array would need 32 bytes more per queue, and a check at each append whether it is shared.
    private var pairs: UnsafeMutablePointer<Pair>?
    private var count: Int32 = 0
    private var capacity: Int32 = 0
    /// A raw pointer avoids reference counting per item.
    private var sides: UnsafeMutablePointer<Sides>?

    deinit {
        free(pairs)
        sides?.deinitialize(count: 1)
        sides?.deallocate()
    }

    /// Releases unused capacity of a queue that rarely gets further items.
    mutating func trim() {
        if capacity > count { resize(to: count) }
    }

    private mutating func resize(to capacity: Int32) {
        guard capacity > 0 else { return }
        let moved = realloc(pairs, Int(capacity) * MemoryLayout<Pair>.stride)
        guard let moved else { fatalError("no memory for \(capacity) latencies") }
        pairs = moved.bindMemory(to: Pair.self, capacity: Int(capacity))
        self.capacity = capacity
    }

    /// Adds the latencies of items.
    mutating func record(_ run: borrowing ItemRun) {
        guard run.weightShift == 0 else { return recordWeighted(run) }
        if let sides, run.count > 1 { return sides.pointee.record(run) }
        for position in 0..<run.count {
            record(wait: Nanoseconds(run.waits[position]), service: Nanoseconds(run.services[position]))
        }
    }

    /// Adds the latencies of items that represent several ones each.
    @inline(never)
    private mutating func recordWeighted(_ run: borrowing ItemRun) {
        for position in 0..<run.count {
            let (wait, service) = (Nanoseconds(run.waits[position]), Nanoseconds(run.services[position]))
            var left = 1 << run.weightShift
            while sides == nil, left > 0 {
                record(wait: wait, service: service)
                left -= 1
            }
            guard left > 0, let sides else { continue }
            sides.pointee.waits.record(wait, times: left)
            sides.pointee.services.record(service, times: left)
        }
    }

    /// Adds an item's latencies; negative ones count as zero.
    @inline(__always)
    mutating func record(wait: Nanoseconds, service: Nanoseconds) {
        if let sides { return sides.pointee.record(wait, service) }
        let (shortWait, shortService) = (max(0, wait.count), max(0, service.count))
        guard shortWait | shortService <= Int64(UInt32.max), count < Self.pairLimit else {
            return recordApart(wait, service)
        }
        if count == capacity { resize(to: max(4, capacity &* 2)) }
        (pairs! + Int(count)).initialize(
            to: Pair(wait: UInt32(truncatingIfNeeded: shortWait), service: UInt32(truncatingIfNeeded: shortService)))
        count &+= 1
    }

    @inline(never)
    private mutating func recordApart(_ wait: Nanoseconds, _ service: Nanoseconds) {
        let sides = UnsafeMutablePointer<Sides>.allocate(capacity: 1)
        sides.initialize(to: Sides())
        for pair in recorded { sides.pointee.record(Nanoseconds(Int64(pair.wait)), Nanoseconds(Int64(pair.service))) }
        sides.pointee.record(wait, service)
        self.sides = sides
        free(pairs)
        (pairs, count, capacity) = (nil, 0, 0)
    }

    private var recorded: UnsafeBufferPointer<Pair> { UnsafeBufferPointer(start: pairs, count: Int(count)) }

    /// The percentiles of the waits and services so far; zero when nothing was recorded.
    var percentiles: (wait: LatencyPercentiles, service: LatencyPercentiles) {
        if let sides { return (sides.pointee.waits.percentiles, sides.pointee.services.percentiles) }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(count)) { values in
            for (place, pair) in recorded.enumerated() { values[place] = pair.wait }
            let waits = LatencyRecorder.percentiles(of: values)
            for (place, pair) in recorded.enumerated() { values[place] = pair.service }
            return (waits, LatencyRecorder.percentiles(of: values))
        }
    }
}
