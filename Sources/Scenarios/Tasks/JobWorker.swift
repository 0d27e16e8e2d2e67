/// A worker takes jobs from a stream, and runs each job in a child task of its own.
struct JobWorker: Scenario {
    static let id = "job-worker"
    static let detector = "uncollected-children"
    static let gain = Gain.keptChildren
    static let summary =
        "A worker adds a child task for each job of a stream, and collects no child before the stream ends."
    static let repair = "It collects a child before it adds another one, once a few are running."
    static let tolerated = [
        Tolerance("useless-wakeups", because: "threads wake for jobs that another thread has done")
    ]

    let label: String
    let bursts: Int
    let jobs: Int

    init(_ variation: inout Variation) {
        label = variation.label("jobs")
        bursts = variation.count("bursts", 60...80)
        jobs = variation.count("jobs", 30...50)
    }

    func run(repaired: Bool) {
        let (stream, inlet) = AsyncStream.makeStream(of: Int.self)
        let source = ProgramThread {
            for burst in 0..<bursts {
                for job in 0..<jobs { inlet.yield(burst * jobs + job) }
                Work.block(for: .milliseconds(10))
            }
            inlet.finish()
        }
        ProgramTask.run {
            await withTaskGroup(of: Void.self) { group in
                var running = 0
                for await job in stream {
                    if repaired, running == 2 * Machine.processors {
                        await group.next()
                        running -= 1
                    }
                    group.addTask { Self.resize(job) }
                    running += 1
                }
            }
        }
        source.join()
    }

    @inline(never)
    private static func resize(_ job: Int) { Work.compute(for: .microseconds(20)) }
}
