/// A class of event records: its name, its number in the trace and the fields of its payload.
///
/// The catalogue (``EventCatalogue``) is the only description of an event. `Tools/generate-schema` generates the C
/// writers, the TSDL metadata, the typed Swift decoders and the table in the documentation from it.
public struct EventClass: Sendable, Equatable {
    /// The part of the dispatch runtime that an event belongs to. LTTng users enable events by family.
    public enum Family: String, Sendable, CaseIterable {
        case queues, objects, items, sync, apply, sources, misuse, groups, semaphores, locks, threads, signposts
        case definitions, log, processors, tasks, actors, loops
    }

    /// The stream to which the recorder writes the event.
    public enum Stream: Sendable, Equatable {
        /// The stream of the recording thread. It needs no lock and no system call.
        case thread
        /// The definitions stream of the process. It is written under a lock, for rare events to which later records
        /// refer by number. A flight recorder defines what exists again before it overwrites old definitions.
        case definitions
    }

    /// The number in the event header. It is never reused or changed.
    public let id: UInt8
    /// The name without the provider, such as `item_begin`.
    public let name: String
    public let family: Family
    public let stream: Stream
    /// The schema version that introduced the event, `major.minor`.
    public let since: String
    public let fields: [EventField]
    /// One sentence that describes what the event records.
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

    /// Does the event define an object to which other events refer by number? Such an event can be written late and
    /// more than once.
    public var isDefinition: Bool { stream == .definitions && family != .misuse && family != .log }

    /// Is the class one of the few that most records of nearly every trace belong to?
    public var isFrequent: Bool { Self.frequent.contains(name) }

    private static let frequent: Set = [
        "item_enqueue", "item_begin", "item_end", "callout_begin", "callout_end", "sync_begin",
    ]

    /// The size of the payload in bytes when all fields have a fixed size, otherwise nil.
    public var fixedPayloadSize: Int? {
        var size = 0
        for field in fields {
            guard let fieldSize = field.type.fixedSize else { return nil }
            size += fieldSize
        }
        return size
    }
}
