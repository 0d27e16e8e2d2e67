/// All events of the `dispatch` provider, in the order of the families.
public enum EventCatalogue {
    /// The name of the provider, as in `dispatch:item_begin` in LTTng, babeltrace2 and `queuescope events`.
    public static let provider = "dispatch"

    /// All event classes, sorted by id.
    public static let events: [EventClass] =
        queues + objects + items + sync + apply + sources + misuse + groups + semaphores + locks + threads + signposts
        + definitions + log + processors + tasks + actors + taskGroups + loops

    /// All enumerations of the fields, in declaration order.
    public static let enumerations: [Enumeration] = [
        .itemKind, .qosClass, .objectKind, .sourceType, .handlerKind, .processorSource,
        .taskKind, .awaitKind, .taskDetail, .executorKind, .loopKind,
    ]

    /// The event class with this name, without the provider.
    public static func event(named name: String) -> EventClass? { events.first { $0.name == name } }
}
