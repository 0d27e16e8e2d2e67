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

    /// The records of the class that a part of a trace (`--from`, `--to`) needs from before its begin. An event that
    /// changes the state of an object and is ``passing`` makes every part that begins after it wrong.
    public enum WindowUse: Sendable, Equatable, CaseIterable {
        /// None.
        case passing
        /// All. They define names to which later records refer.
        case name
        /// All. They change the state of a queue, source, lock, thread, task or other object. These events are rare.
        case state
        /// Those that no ``closing`` event of the same thread has closed. An event with a field `item` begins that
        /// item.
        case opening
        /// An ``opening`` event that also submits the item of its field `item`, which another thread can run.
        case call
        /// None. It closes the innermost open record of its thread.
        case closing
        /// The last of each thread.
        case latest
        /// The last record of a thread, if it is of such a class: the thread is waiting.
        case waiting
        /// Those that submit the items that begin in the part.
        case submission
        /// Those that describe the items that begin in the part. They follow the ``submission``.
        case description
    }

    /// The number in the event header. It is never reused or changed.
    public let id: UInt8
    /// The name without the provider, such as `item_begin`.
    public let name: String
    public let family: Family
    public let windowUse: WindowUse
    public let stream: Stream
    /// Is the class one of the few to which most records of nearly every trace belong? They are decoded inline.
    public let isFrequent: Bool
    /// The schema version that introduced the event, `major.minor`.
    public let since: String
    public let fields: [EventField]
    /// One sentence that describes what the event records.
    public let summary: String

    public init(
        _ id: UInt8, _ name: String, _ family: Family, window windowUse: WindowUse, in stream: Stream = .thread,
        isFrequent: Bool = false, since: String = "1.0", _ summary: String, _ fields: [EventField]
    ) {
        self.id = id
        self.name = name
        self.family = family
        self.windowUse = windowUse
        self.stream = stream
        self.isFrequent = isFrequent
        self.since = since
        self.fields = fields
        self.summary = summary
    }

    /// Does the event define an object to which other events refer by number? Such an event can be written late and
    /// more than once.
    public var isDefinition: Bool { stream == .definitions && family != .misuse && family != .log }

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
