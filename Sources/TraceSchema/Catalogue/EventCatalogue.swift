/// All events of the `dispatch` provider, in the order of the families.
public enum EventCatalogue {
    /// The name of the provider, as in `dispatch:item_begin` in LTTng, babeltrace2 and `queuescope events`.
    public static let provider = "dispatch"

    /// All event classes, sorted by id.
    public static let events: [EventClass] =
        QueueEvents.queues + QueueEvents.objects
        + ItemEvents.items + ItemEvents.sync + ItemEvents.apply + ItemEvents.sources + QueueEvents.misuse
        + WaitEvents.groups + WaitEvents.semaphores + WaitEvents.locks
        + ProcessEvents.threads + ProcessEvents.signposts + ProcessEvents.definitions + ProcessEvents.log
        + ProcessEvents.processors
        + ConcurrencyEvents.tasks + ConcurrencyEvents.actors + ConcurrencyEvents.taskGroups + ConcurrencyEvents.loops

    /// All enumerations of the fields, in declaration order.
    public static let enumerations: [Enumeration] = [
        .itemKind, .qosClass, .objectKind, .sourceType, .handlerKind, .processorSource, .lockKind, .descriptorKind,
        .samplingCause, .taskKind, .awaitKind, .taskDetail, .executorKind, .loopKind,
    ]

    /// The event class with this name, without the provider.
    public static func event(named name: String) -> EventClass? { events.first { $0.name == name } }
}
