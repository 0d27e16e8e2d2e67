import Dispatch

/// A download is paused and continued.
struct ResumedDownload: Scenario {
    static let id = "resumed-download"
    static let detector = "over-resume"
    static let gain = Gain.failedRuns
    static let summary = """
        Continuing a download resumes its queue more often than it was suspended: libdispatch aborts.
        """
    static let repair = "It resumes the queue only when it is suspended."
    static let ending = Ending.crash

    let label: String
    let pauses: Int

    init(_ variation: inout Variation) {
        label = variation.label("download")
        pauses = variation.count("pauses", 1...5)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let download = DispatchQueue(label: label)
        for _ in 0..<pauses {
            download.suspend()
            download.async { Work.compute(for: .microseconds(50)) }
            download.resume()
            download.sync {}
        }
        if !repaired { download.resume() }
        download.sync {}
    }
}
