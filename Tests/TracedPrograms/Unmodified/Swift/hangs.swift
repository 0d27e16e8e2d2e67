// Programs that stop because a call is missing or comes too early. A signal of the kernel ends them after 4 s.
import Foundation

/// An asynchronous operation, which must mark itself as finished.
final class Download: Operation, @unchecked Sendable {
    private let file: Int
    private var isRunning = false
    private var isDone = false
    init(_ file: Int) { self.file = file }
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { isRunning }
    override var isFinished: Bool { isDone }
    override func start() {
        willChangeValue(for: \.isExecuting)
        isRunning = true
        didChangeValue(for: \.isExecuting)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { self.finish() }
    }

    private func finish() {
        // The second file is missing, and this path forgets to mark the operation as finished.
        if file == 2 { return }
        willChangeValue(for: \.isFinished)
        isDone = true
        didChangeValue(for: \.isFinished)
    }
}

@inline(never) func runDownloads() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for file in 1...4 { queue.addOperation(Download(file)) }
    queue.waitUntilAllOperationsAreFinished()
}

final class Mailbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var isDelivered = false

    func deliver() {
        condition.lock()
        isDelivered = true
        condition.signal()
        condition.unlock()
    }

    /// Waits without a look at the predicate, so a signal before the wait has no effect.
    @inline(never) func take() {
        condition.lock()
        condition.wait()
        condition.unlock()
    }
}

alarm(4)
switch CommandLine.arguments.last {
case "operation": runDownloads()
case "condition":
    let mailbox = Mailbox()
    mailbox.deliver()
    mailbox.take()
default: print("hangs operation|condition")
}
