// OperationQueue: dependencies, cancellation, priorities, serial execution, barriers, underlying and main queue.
import Foundation

final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []
    func add(_ entry: String) { lock.withLock { entries.append(entry) } }
    func take() -> [String] {
        lock.withLock {
            defer { entries = [] }; return entries
        }
    }
}

let log = Log()
let queue = OperationQueue()
queue.name = "operations"
queue.maxConcurrentOperationCount = 4

let download = BlockOperation { log.add("download") }
let parse = BlockOperation { log.add("parse") }
let store = BlockOperation { log.add("store") }
store.completionBlock = { log.add("completed") }
parse.addDependency(download)
store.addDependency(parse)
queue.addOperations([store, parse, download], waitUntilFinished: true)
print(log.take().filter { $0 != "completed" })

let cancelled = BlockOperation { log.add("cancelled ran") }
let last = BlockOperation { log.add("last") }
last.addDependency(cancelled)
cancelled.cancel()
queue.addOperations([cancelled, last], waitUntilFinished: true)
print(log.take().filter { $0 != "completed" }, cancelled.isFinished, cancelled.isCancelled)

queue.maxConcurrentOperationCount = 1
for number in 0..<20 { queue.addOperation { log.add("\(number)") } }
queue.waitUntilAllOperationsAreFinished()
print(log.take().filter { $0 != "completed" }.joined(separator: " "))

queue.maxConcurrentOperationCount = 4
for _ in 0..<10 { queue.addOperation { log.add("r") } }
queue.addBarrierBlock { log.add("barrier") }
for _ in 0..<10 { queue.addOperation { log.add("s") } }
queue.waitUntilAllOperationsAreFinished()
print(log.take().joined())

queue.isSuspended = true
queue.addOperation { log.add("resumed") }
print(log.take().count, queue.operationCount)
queue.isSuspended = false
queue.waitUntilAllOperationsAreFinished()
print(log.take())

let underlying = OperationQueue()
let serial = DispatchQueue(label: "operations.underlying")
underlying.underlyingQueue = serial
underlying.addOperation {
    dispatchPrecondition(condition: .onQueue(serial))
    log.add("underlying")
}
underlying.waitUntilAllOperationsAreFinished()
print(log.take())

OperationQueue.main.addOperation {
    print("main", OperationQueue.current == .main); exit(0)
}
RunLoop.main.run()
