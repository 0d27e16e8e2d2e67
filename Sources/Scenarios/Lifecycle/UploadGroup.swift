import Dispatch

/// A gallery uploads its photos and reports when all uploads are complete.
struct UploadGroup: Scenario {
    static let id = "upload-group"
    static let detector = "unbalanced-group"
    static let gain = Gain.duration
    static let summary = """
        A gallery enters a group for each upload and does not leave it when an upload fails, so the notification \
        never runs.
        """
    static let repair = "Every upload leaves the group, also when it fails."
    static let tolerated = [
        Tolerance("semaphore-never-signalled", because: "the notification that would signal it never runs")
    ]

    let label: String
    let uploads: Int
    let failing: Int

    init(_ variation: inout Variation) {
        label = variation.label("upload")
        uploads = variation.count("uploads", 4...20)
        failing = variation.count("failing", 1...3)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let group = DispatchGroup()
        let ended = Milestones()
        for upload in 0..<uploads {
            group.enter()
            queue.async {
                Work.compute(for: .microseconds(200))
                defer { ended.reach() }
                if upload < failing, !repaired { return }
                group.leave()
            }
        }
        let told = DispatchSemaphore(value: 0)
        group.notify(queue: queue) { told.signal() }
        ended.wait(for: uploads)
        _ = told.wait(timeout: .now() + .milliseconds(repaired ? 5000 : 350))
    }
}
