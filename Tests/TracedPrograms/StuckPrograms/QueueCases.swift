import Dispatch
import Foundation

enum QueueCases {
    /// Two threads call sync on each other's queue.
    static func syncCycle() {
        let points = DispatchQueue(label: "shop.points")
        let purchases = DispatchQueue(label: "shop.purchases")
        let both = DispatchGroup()
        let started = Barrier(2)
        points.async(group: both) { record(purchases, started) }
        purchases.async(group: both) { recompute(points, started) }
        points.async {}
        both.wait()
    }

    @inline(never)
    private static func record(_ purchases: DispatchQueue, _ started: Barrier) {
        started.meet()
        purchases.sync {}
    }

    @inline(never)
    private static func recompute(_ points: DispatchQueue, _ started: Barrier) {
        started.meet()
        points.sync {}
    }

    /// A sync on a queue whose target queue is held through another queue.
    static func targetQueue() {
        let inner = DispatchQueue(label: "case.inner")
        let left = DispatchQueue(label: "case.left", target: inner)
        let right = DispatchQueue(label: "case.right", target: inner)
        let started = Barrier(2)
        left.async {
            started.meet()
            StuckPrograms.sleepForEver()
        }
        started.meet()
        StuckPrograms.ready()
        right.sync {}
    }

    static func suspendedQueue() {
        let queue = DispatchQueue(label: "case.paused")
        queue.suspend()
        for _ in 0..<3 { queue.async {} }
        StuckPrograms.ready()
        StuckPrograms.sleepForEver()
    }

    /// The main thread waits for a group whose only leave is in an item of the main queue.
    static func mainQueue() {
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.main.async { group.leave() }
        StuckPrograms.ready()
        group.wait()
    }
}

/// Lets threads continue when all of them have arrived, and announces the program then.
final class Barrier: Sendable {
    private let count: Int
    private let arrived = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    nonisolated(unsafe) private var missing: Int

    init(_ count: Int) {
        self.count = count
        missing = count
    }

    func meet() {
        let isLast = lock.withLock {
            missing -= 1
            return missing == 0
        }
        if isLast {
            StuckPrograms.ready()
            for _ in 1..<count { arrived.signal() }
        } else {
            arrived.wait()
        }
    }
}
