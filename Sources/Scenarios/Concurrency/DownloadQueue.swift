import Dispatch

/// A service fetches files from a server.
struct DownloadQueue: Scenario {
    static let id = "download-queue"
    static let detector = "pool-starvation"
    static let gain = Gain.duration
    static let summary = """
        A service downloads files on the global queue, whose workers all block on a semaphore for the network.
        """
    static let repair = "No worker blocks: the work after a download is submitted when the download completes."

    let label: String
    let downloads: Int
    let latency: Duration

    init(_ variation: inout Variation) {
        label = variation.label("download")
        downloads = 4 * Machine.processors + variation.count("more than four for each processor", 4...10)
        latency = variation.duration("latency", .milliseconds(50)...(.milliseconds(80)))
    }

    func run(repaired: Bool) {
        let network = DispatchQueue(label: label)
        let done = DispatchGroup()
        for _ in 0..<downloads {
            if repaired {
                done.enter()
                request(network) {
                    DispatchQueue.global().async(group: done) { Work.compute(for: .microseconds(200)) }
                    done.leave()
                }
            } else {
                DispatchQueue.global().async(group: done) {
                    let answered = DispatchSemaphore(value: 0)
                    request(network) { answered.signal() }
                    answered.wait()
                    Work.compute(for: .microseconds(200))
                }
            }
        }
        done.wait()
    }

    /// Calls back when the answer of the server arrives.
    private func request(_ network: DispatchQueue, _ answer: @escaping @Sendable () -> Void) {
        network.asyncAfter(deadline: .now() + .microseconds(Int(latency.microseconds)), execute: answer)
    }
}
