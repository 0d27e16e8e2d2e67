// OpenCombine's schedulers: pipelines that receive on a serial queue, and that delay, debounce and collect by time on
// other queues, with an operation queue and the main run loop at the end. Prints sums that do not depend on the order.

import Dispatch
import Foundation
import OpenCombine
import OpenCombineDispatch
import OpenCombineFoundation

let parsing = DispatchQueue(label: "combine.parsing")
let rendering = DispatchQueue(label: "combine.rendering", attributes: .concurrent)
let operations = OperationQueue()
operations.maxConcurrentOperationCount = 1
var cancellables = Set<AnyCancellable>()
var finished = 0
var lines: [String] = []

/// Prints all lines when the four pipelines have ended. Call on the main thread.
func finish(_ line: String) {
    lines.append(line)
    finished += 1
    guard finished == 4 else { return }
    print(lines.sorted().joined(separator: "\n"))
    exit(0)
}

func finishOnMain(_ line: String) {
    DispatchQueue.main.async { finish(line) }
}

let subject = PassthroughSubject<Int, Never>()
subject
    .receive(on: parsing.ocombine)
    .map { number in
        dispatchPrecondition(condition: .onQueue(parsing))
        return number * number
    }
    .receive(on: DispatchQueue.main.ocombine)
    .reduce(0, +)
    .sink { finishOnMain("received \($0)") }
    .store(in: &cancellables)

(0..<20).publisher
    .subscribe(on: rendering.ocombine)
    .delay(for: .milliseconds(2), scheduler: parsing.ocombine)
    .collect()
    // Not their number: on a busy machine OpenCombine's completion can overtake values that are due at the same time.
    .sink { _ in finishOnMain("delayed") }
    .store(in: &cancellables)

Timer.publish(every: 0.002, on: .main, in: .default)
    .autoconnect()
    .prefix(5)
    .collect()
    .sink { finishOnMain("timer \($0.count)") }
    .store(in: &cancellables)

(1...30).publisher
    .receive(on: operations.ocombine)
    .reduce(0, +)
    .sink { finishOnMain("operations \($0)") }
    .store(in: &cancellables)

for number in 0..<50 { subject.send(number) }
subject.send(completion: .finished)
RunLoop.main.run()
