import Dispatch

/// A service writes reports with an old library.
struct ReportFiles: Scenario {
    static let id = "report-files"
    static let detector = "blocked-cooperative-pool"
    static let gain = Gain.blockedTime
    static let summary = "Tasks block on a semaphore for the result that a library passes to its completion handler."
    static let repair = "They suspend on a continuation that the completion handler resumes."
    static let tolerated = [
        Tolerance("pool-starvation", because: "every thread of the pool is blocked, and tasks wait for a thread")
    ]
    static let exemptions = [
        Exemption(.middle, because: "the tasks were submitted in the first half, so their wait is not in the trace")
    ]

    let label: String
    let reports: Int
    let writing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("report")
        reports = variation.count("reports", 4 * Machine.processors...6 * Machine.processors)
        writing = variation.duration("writing", .milliseconds(20)...(.milliseconds(40)))
    }

    func run(repaired: Bool) {
        let library = DispatchQueue(label: label, attributes: .concurrent)
        ProgramTask.run {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<reports {
                    group.addTask {
                        Work.compute(for: .microseconds(200))
                        if repaired {
                            await withCheckedContinuation { continuation in
                                write(on: library) { continuation.resume() }
                            }
                        } else {
                            waitForWriting(on: library)
                        }
                    }
                }
            }
        }
    }

    private func write(on library: DispatchQueue, completion: @escaping @Sendable () -> Void) {
        library.asyncAfter(deadline: .now() + .microseconds(Int(writing.microseconds)), execute: completion)
    }

    private func waitForWriting(on library: DispatchQueue) {
        let written = DispatchSemaphore(value: 0)
        write(on: library) { written.signal() }
        written.wait()
    }
}
