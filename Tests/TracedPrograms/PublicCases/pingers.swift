// Many actors call one actor a million times. All of them wait for it most of the time.
//: source https://github.com/swiftlang/swift/issues/68299
//: detector actor-contention
//: code Pingable
//: also actor-hopping useless-wakeups
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

actor Pingable {
    private var count = 0
    func ping(_ times: Int) {
        for _ in 0..<times { count += 1 }
        usleep(100)
    }
}

actor Pinger {
    private let target: Pingable
    init(_ target: Pingable) { self.target = target }
    func run(_ rounds: Int) async { for _ in 0..<rounds { await target.ping(10) } }
}

let shared = Pingable()
await withTaskGroup(of: Void.self) { group in
    for _ in 0..<32 {
        // The repaired program calls its own target once.
        let pinger = Pinger(fixed ? Pingable() : shared)
        group.addTask { await pinger.run(fixed ? 1 : 200) }
    }
}
