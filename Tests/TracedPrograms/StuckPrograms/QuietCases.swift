import Dispatch
import Foundation

/// Programs that are not stuck.
enum QuietCases {
    /// A timer, an idle pool, and the main thread in `dispatchMain`.
    static func idle() {
        let queue = DispatchQueue(label: "case.ticks")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(20))
        nonisolated(unsafe) var isFirst = true
        timer.setEventHandler {
            if isFirst { StuckPrograms.ready() }
            isFirst = false
        }
        timer.activate()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in }
        withExtendedLifetime(timer) { dispatchMain() }
    }

    /// Queues, locks, groups, tasks and an actor in rounds until the standard input ends. The output states whether
    /// each round had its result.
    static func busy() {
        let service = BusyService()
        nonisolated(unsafe) var rounds: UInt64 = 0
        nonisolated(unsafe) var checks: UInt64 = 0
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            while !service.isOver {
                rounds += 1
                if await service.round() { checks += 1 }
                if rounds == 1 { StuckPrograms.ready() }
            }
            ended.signal()
        }
        Thread {
            while readLine() != nil {}
            service.end()
        }.start()
        ended.wait()
        print(rounds == checks && rounds > 0 ? "all rounds correct" : "\(rounds - checks) of \(rounds) rounds wrong")
    }
}

private final class BusyService: @unchecked Sendable {
    // `plain` is protected by the queue `serial`, `locked` and `over` by the lock.
    private let serial = DispatchQueue(label: "busy.serial")
    private let concurrent = DispatchQueue(label: "busy.concurrent", attributes: .concurrent)
    private let lock = NSLock()
    private var plain = 0
    private var locked = 0
    private var over = false

    private actor Tally {
        var sum = 0

        func add(_ number: Int) { sum += number }
    }

    var isOver: Bool { lock.withLock { over } }

    func end() { lock.withLock { over = true } }

    /// Whether the work of a round had its result.
    func round() async -> Bool {
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...20 { group.addTask { await tally.add(number) } }
        }
        let group = DispatchGroup()
        let before = serial.sync { plain }
        for number in 1...30 {
            concurrent.async(group: group) { [self] in serial.sync { plain += number } }
            DispatchQueue.global().async(group: group) { [self] in lock.withLock { locked += number } }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            group.notify(queue: serial) { continuation.resume() }
        }
        let operations = OperationQueue()
        for number in 1...5 { operations.addOperation { [self] in lock.withLock { locked += number } } }
        operations.addBarrierBlock {}
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            operations.addBarrierBlock { continuation.resume() }
        }
        let isLockedRight = lock.withLock {
            defer { locked = 0 }
            return locked == 465 + 15
        }
        let after = serial.sync { plain }
        return await tally.sum == 210 && after - before == 465 && isLockedRight
    }
}
