import Dispatch

/// An application shows images from the network.
struct ImagePipeline: Scenario {
    static let id = "image-pipeline"
    static let detector = "bouncing-work"
    static let gain = Gain.switches
    static let summary = """
        Each image takes nine hops between the queues for cache, network and decoding, and each step is shorter \
        than a wake-up.
        """
    static let repair = "One item of one queue does all nine steps."
    static let tolerated = [
        Tolerance("overlapping-handlers", because: "the thread of the next hop begins before a hop ends"),
        Tolerance("thread-explosion", because: "every hop requests a thread before the previous thread is idle"),
        Tolerance("useless-wakeups", because: "libdispatch requests more threads than it has work for"),
    ]

    let label: String
    let images: Int
    /// A worker that still spins takes the next item within one or two microseconds. A step must be shorter.
    private let step = Duration.microseconds(1)

    init(_ variation: inout Variation) {
        label = variation.label("image")
        images = variation.count("images", 400...800)
    }

    func run(repaired: Bool) {
        let cache = DispatchQueue(label: "\(label).cache")
        let network = DispatchQueue(label: "\(label).network")
        let decoder = DispatchQueue(label: "\(label).decoder")
        let stations = [cache, network, cache, network, decoder, cache, network, decoder, cache]
        for _ in 0..<images {
            let shown = DispatchGroup()
            shown.enter()
            if repaired {
                cache.async {
                    for _ in stations { Work.compute(for: step) }
                    shown.leave()
                }
            } else {
                hop(stations[...], shown)
            }
            shown.wait()
        }
    }

    private func hop(_ stations: ArraySlice<DispatchQueue>, _ shown: DispatchGroup) {
        guard let queue = stations.first else { return shown.leave() }
        queue.async {
            Work.compute(for: step)
            hop(stations.dropFirst(), shown)
        }
    }
}
