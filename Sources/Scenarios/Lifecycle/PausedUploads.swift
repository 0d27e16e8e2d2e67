import Dispatch

/// An application uploads when it has a connection.
struct PausedUploads: Scenario {
    static let id = "paused-uploads"
    static let detector = "item-never-ran"
    static let gain = Gain.work
    static let summary = """
        Uploads are submitted to a queue that was suspended without a connection and is never resumed.
        """
    static let repair = "The queue is resumed when a connection exists."

    let label: String
    let uploads: Int

    init(_ variation: inout Variation) {
        label = variation.label("uploads")
        uploads = variation.count("uploads", 3...30)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        queue.suspend()
        for _ in 0..<uploads { queue.async { Work.compute(for: .microseconds(100)) } }
        DispatchQueue(label: "\(label).connection").sync { Work.compute(for: .milliseconds(5)) }
        Work.block(for: .milliseconds(350))
        if repaired {
            queue.resume()
            queue.sync {}
        }
        // The application keeps its queue until it ends.
        _ = Unmanaged.passRetained(queue)
    }
}
