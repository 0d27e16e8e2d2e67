/// The content of the metadata with all types resolved.
struct TraceDescription {
    var source: MetadataSource
    /// Parts of the metadata that were ignored.
    var notes: [TraceNote] = []
    var uuid: [UInt8]?
    /// Whether the names of fields in headers and packet contexts define their meaning, as in CTF 1.8. In CTF 2 field
    /// classes have roles.
    var rolesAreNames = true
    var environment: [(name: String, value: EnvironmentValue)] = []
    var clocks: [ClockClass] = []
    var packetHeader: CTFFieldType?
    var streams: [Stream] = []
    var events: [Event] = []

    /// A stream class.
    struct Stream {
        var id: UInt64
        var packetContext: CTFFieldType?
        var eventHeader: CTFFieldType?
        var eventContext: CTFFieldType?
        var offset: Int
    }

    /// An event class.
    struct Event {
        var id: UInt64
        var streamID: UInt64
        var name: String
        var logLevel: Int64?
        var context: CTFFieldType?
        var fields: CTFFieldType?
        var offset: Int
    }
}

extension TraceDescription {
    /// Parses metadata of either version.
    static func read(_ source: MetadataSource) throws(CTFError) -> TraceDescription {
        source.isJSON ? try FragmentResolver.describe(source) : try MetadataResolver.describe(source)
    }

    /// Checks that the stream class of each event class is declared, and that the id of the event class is unique in
    /// it.
    func checkEvents() throws(CTFError) {
        let streamClass = source.isJSON ? "data stream class" : "stream class"
        let streams = Set(streams.map(\.id))
        var seen: Set<[UInt64]> = []
        for event in events {
            guard streams.contains(event.streamID) else {
                throw source.error(
                    .unknownStream, at: event.offset,
                    "The event '\(event.name)' belongs to the \(streamClass) \(event.streamID), which is not declared")
            }
            guard seen.insert([event.streamID, event.id]).inserted else {
                throw source.error(
                    .duplicate, at: event.offset,
                    "The event '\(event.name)' has the id \(event.id), which another event of its \(streamClass) has")
            }
        }
    }
}
