/// One class of event records: its name, its number in the trace and the fields of its payload.
///
/// The catalogue (``EventCatalogue``) is the only place where an event is described. The C writers, the TSDL metadata, the
/// typed Swift decoders and the table in the documentation are generated from it by `Tools/generate-schema`.
public struct EventClass: Sendable, Equatable {
    /// Which part of the dispatch runtime an event tells about. LTTng users enable events by family.
    public enum Family: String, Sendable, CaseIterable {
        case queues, objects, items, sync, apply, sources, misuse, groups, semaphores, locks, threads, signposts
        case definitions, log, processors, tasks, actors, loops
    }

    /// Where the recorder writes the event.
    public enum Stream: Sendable, Equatable {
        /// The stream of the thread that records it: no lock, no system call.
        case thread
        /// The process-wide definitions stream, which a flight recorder never overwrites. Written under a lock: for rare
        /// events that later records refer to by number.
        case definitions
    }

    /// The number in the event header. Never reused, never renumbered.
    public let id: UInt8
    /// The name without the provider, such as `item_begin`.
    public let name: String
    public let family: Family
    public let stream: Stream
    /// The schema version that introduced it, `major.minor`.
    public let since: String
    public let fields: [EventField]
    /// One sentence: what happened when this event was recorded.
    public let summary: String

    public init(
        _ id: UInt8, _ name: String, _ family: Family, in stream: Stream = .thread, since: String = "1.0",
        _ summary: String, _ fields: [EventField]
    ) {
        self.id = id
        self.name = name
        self.family = family
        self.stream = stream
        self.since = since
        self.fields = fields
        self.summary = summary
    }

    /// Whether the event says what others refer to by number, rather than that something happened: it may come late, and again.
    public var isDefinition: Bool { stream == .definitions && family != .misuse && family != .log }

    /// Whether most records of nearly every trace are of this class and a few others.
    public var isFrequent: Bool { Self.frequent.contains(name) }

    private static let frequent: Set = [
        "item_enqueue", "item_begin", "item_end", "callout_begin", "callout_end", "sync_begin",
    ]

    /// The payload's size in bytes when all fields are of fixed size, otherwise nil.
    public var fixedPayloadSize: Int? {
        var size = 0
        for field in fields {
            guard let fieldSize = field.type.fixedSize else { return nil }
            size += fieldSize
        }
        return size
    }
}
