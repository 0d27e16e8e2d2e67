import Dispatch

/// A service fetches files from a server.
struct DownloadQueue: Scenario {
    static let id = "download-queue"
    static let detector = "pool-starvation"
    static let summary = "A service fetches files on the global queue, whose few workers all wait for the network."
    static let repair = "Nobody waits: a serial queue starts each download and gets its end by a timer's event."

    let label: String
    let downloads: Int
    let latency: Duration

    init(_ variation: inout Variation) {
        label = variation.label("download")
        downloads = variation.count("downloads", 12...18)
        latency = variation.duration("latency", .milliseconds(50)...(.milliseconds(80)))
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let done = DispatchGroup()
        for _ in 0..<downloads {
            if repaired {
                done.enter()
                queue.asyncAfter(deadline: .now() + .microseconds(Int(latency.microseconds))) {
                    Work.compute(for: .microseconds(200))
                    done.leave()
                }
            } else {
                DispatchQueue.global().async(group: done) {
                    Work.block(for: latency)
                    Work.compute(for: .microseconds(200))
                }
            }
        }
        done.wait()
    }
}
