import CLegacyCodec

/// A player decodes a stream with a codec library in C.
struct VideoPipeline: Scenario {
    static let id = "video-pipeline"
    static let detector = "non-leaf-retarget"
    static let gain = Gain.findings
    static let summary = """
        A codec library retargets its pipeline's queue while the decoder's queue targets it.
        """
    static let repair = "It sets the target of the pipeline before another queue targets the pipeline."
    static let tolerated = [
        Tolerance("mutable-target", in: .both, because: "the library creates its queues with dispatch_queue_create")
    ]

    let label: String
    let frames: Int
    let decoding: Duration

    init(_ variation: inout Variation) {
        label = variation.label("video")
        frames = variation.count("frames", 3...30)
        decoding = variation.duration("decoding", .microseconds(50)...(.microseconds(300)))
    }

    var culprits: [String] { ["\(label).pipeline"] }

    func run(repaired: Bool) {
        codec_decode_stream(label, Int32(frames), Int32(decoding.microseconds * 1000), !repaired)
    }
}
