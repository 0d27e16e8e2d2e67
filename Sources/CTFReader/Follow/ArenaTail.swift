/// The end of a data stream that is still in the memory of its recorder.
///
/// ```
///              in the file               in the arena
///   stream   ├────────────────────────┼──────────┤
///                                     ↑ fileEnd  └ packets
/// ```
struct ArenaTail {
    /// Size of the part of the stream that is in its file, in bytes. The recorder may have copied more since.
    var fileEnd: Int
    /// The events that follow, as whole packets.
    var packets: [UInt8]
}
