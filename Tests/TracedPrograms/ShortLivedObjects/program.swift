// Creates many queues and actors that live for microseconds, and a few objects that live as long as the program.
// Usage: ShortLivedObjects [QUEUES]
//
// Each object is defined in the trace, so a recording of this program consists mainly of definitions.

import Dispatch

actor Keeper {
    private var number = 0
    func keep() -> Int {
        number += 1
        return number
    }
}

actor Visitor {
    private var number = 0
    func visit() -> Int {
        number += 1
        return number
    }
}

@inline(never)
func lateWork(on queue: DispatchQueue) {
    for _ in 0..<100 { queue.sync {} }
}

@main
struct Program {
    static func main() async {
        await run(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000)
    }

    @concurrent
    nonisolated static func run(_ count: Int) async {
        let early = DispatchQueue(label: "lives.long")
        let timer = DispatchSource.makeTimerSource(queue: early)
        timer.schedule(deadline: .now(), repeating: .milliseconds(5))
        timer.setEventHandler { @Sendable in }
        timer.activate()
        let keeper = Keeper()
        var visits = await keeper.keep()
        for index in 0..<count {
            DispatchQueue(label: "lives.short.\(index)").sync {}
            if index % 4 == 0 { visits += await Visitor().visit() }
        }
        visits += await keeper.keep()
        lateWork(on: early)
        timer.cancel()
        print("visits", visits)
    }
}
