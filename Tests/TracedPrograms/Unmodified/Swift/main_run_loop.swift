// The main queue drained by RunLoop.main, with timers and performed closures, and waits from other threads.
//: ends 8
import Foundation

let worker = DispatchQueue(label: "loop.worker")
var steps: [String] = []
DispatchQueue.main.async { steps.append("main async") }

@Sendable func performed() {
    steps.append("performed")
    _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
        steps.append("timer")
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(2)) {
            print(steps.joined(separator: ", "))
            exit(8)
        }
    }
}

worker.async {
    DispatchQueue.main.sync { steps.append("main sync") }
    let value = DispatchQueue.main.sync {
        dispatchPrecondition(condition: .onQueue(.main)); return steps.count
    }
    DispatchQueue.main.async {
        steps.append("count \(value)")
        RunLoop.main.perform { performed() }
    }
    // `perform` alone does not wake the loop.
    DispatchQueue.main.async {}
}
RunLoop.main.run()
