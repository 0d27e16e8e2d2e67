import CLegacyCodec

/// A player decodes a file with a codec library in C.
struct AudioFile: Scenario {
    static let id = "audio-file"
    static let detector = "mutable-target"
    static let gain = Gain.findings
    static let summary = """
        A codec library creates its queue first and sets its target later, so libdispatch must be prepared for \
        another change at any time.
        """
    static let repair = "The queue is created with its target."

    let label: String
    let frames: Int
    let decoding: Duration

    init(_ variation: inout Variation) {
        label = variation.label("audio")
        frames = variation.count("frames", 3...30)
        decoding = variation.duration("decoding", .microseconds(50)...(.microseconds(300)))
    }

    var culprits: [String] { ["\(label).decoder"] }

    func run(repaired: Bool) {
        codec_decode_file(label, Int32(frames), Int32(decoding.microseconds * 1000), !repaired)
    }
}
