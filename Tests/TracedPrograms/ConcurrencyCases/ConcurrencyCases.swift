import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reproduces the programs of three public issues. The page "Tasks, actors and event loops" shows the reports of
/// Queuescope for them.
///
/// ```
/// ConcurrencyCases many-callers CALLERS CALLS    one actor, more and more callers (swiftlang/swift#68299)
/// ConcurrencyCases ping-pong CALLS               two actors call each other (swiftlang/swift#77947)
/// ConcurrencyCases pipeline STAGES VALUES        streams from task to task (swift-corelibs-libdispatch#760)
/// ```
@main struct ConcurrencyCases {
    static func main() async {
        let arguments = CommandLine.arguments
        func number(_ position: Int) -> Int { Int(arguments.dropFirst(position).first ?? "") ?? 0 }
        let begin = ContinuousClock.now
        switch arguments.dropFirst().first {
        case "many-callers": print(await manyCallers(number(2), calls: number(3)))
        case "ping-pong": print(await pingPong(calls: number(2)))
        case "pipeline": print(await pipeline(stages: number(2), values: number(3)))
        default:
            print("usage: ConcurrencyCases many-callers CALLERS CALLS | ping-pong CALLS | pipeline STAGES VALUES")
            exit(64)
        }
        let took = ContinuousClock.now - begin
        print("took \(took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000) ms")
    }

    /// All callers call one actor with calls of minimal duration.
    static func manyCallers(_ callers: Int, calls: Int) async -> Int {
        let pingable = Pingable()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    let pinger = Pinger(target: pingable)
                    await pinger.run(calls / callers)
                }
            }
        }
        return await pingable.counter
    }

    /// The caller and the callee are two actors, so no two calls run at the same time.
    static func pingPong(calls: Int) async -> Int {
        let pingable = Pingable()
        let pinger = Pinger(target: pingable)
        await pinger.run(calls)
        return await pingable.counter
    }

    /// Each value passes through all stages. Each stage is a task with little work per value.
    static func pipeline(stages: Int, values: Int) async -> Int {
        var stream = AsyncStream<Int>.makeStream()
        let source = stream.continuation
        var tasks: [Task<Void, Never>] = []
        for _ in 0..<stages {
            let next = AsyncStream<Int>.makeStream()
            let (input, output) = (stream.stream, next.continuation)
            tasks.append(
                Task {
                    let stage = Stage()
                    for await value in input { output.yield(await stage.apply(value)) }
                    output.finish()
                })
            stream = next
        }
        for value in 0..<values { source.yield(value) }
        source.finish()
        var sum = 0
        for await value in stream.stream { sum += value }
        for task in tasks { await task.value }
        return sum
    }
}

actor Pingable {
    private(set) var counter = 0

    func ping() -> Int {
        counter += 1
        return counter
    }
}

actor Pinger {
    private let target: Pingable
    private var sum = 0

    init(target: Pingable) { self.target = target }

    /// Uses isolated state between two calls, so that the task returns to this actor after each call.
    func run(_ calls: Int) async {
        for _ in 0..<calls {
            let count = await target.ping()
            sum &+= count
        }
    }
}

actor Stage {
    private var count = 0

    func apply(_ value: Int) -> Int {
        count += 1
        return value + 1
    }
}
