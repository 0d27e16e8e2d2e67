// Fields that many events share, so that a name has the same type and meaning everywhere.
extension EventField {
    static let queue = EventField("queue", .u48, "libdispatch's serial number of the queue; 0 when unknown")
    static let item = EventField("item", .u48, base: .hexadecimal, "the item's id, unique while the item is in flight")
    static let code = EventField("code", .u32, "the running or calling code: a `code_symbol`; 0 when unknown")
    static let qos = EventField("qos", .enumeration(.qosClass), "requested quality-of-service class")
    static let kind = EventField("kind", .enumeration(.itemKind), "the call that created the item")
    static let object = EventField("object", .u48, base: .hexadecimal, "the queue's serial number, or the source's id")
    static let objectKind = EventField("kind", .enumeration(.objectKind), "the kind of object")
    static let source = EventField("source", .u48, base: .hexadecimal, "the source's id")
    static let group = EventField("group", .u48, base: .hexadecimal, "the group's id")
    static let semaphore = EventField("semaphore", .u48, base: .hexadecimal, "the semaphore's id")
    static let lock = EventField("lock", .u48, base: .hexadecimal, "the lock's id")
    static let apply = EventField("apply", .u48, base: .hexadecimal, "the id of this concurrentPerform")
    static let signpost = EventField("signpost", .u48, base: .hexadecimal, "the signpost's id; pairs begin and end")
    static let stack = EventField("stack", .u32, "the call stack: a `stack` definition; 0 when not recorded")
    static let stackSince12 = EventField(
        "stack", .u32, since: "1.2", "the call stack: a `stack` definition; 0 when not recorded")
    static let activationStack = EventField("activation_stack", .u32, "the stack of the activation; 0 when missing")
    static let activationCode = EventField(
        "activation_code", .u32, "the code that activated the object; 0 when unknown")
    static let tid = EventField("tid", .u32, "the thread of the event")
    static let processor = EventField(
        "processor", .u16, since: "1.2", "the processor's number, counted from 1; 0 when unknown")
    static let root = EventField("root", .u48, "the root queue's serial number; 0 when unknown")
    static let timedOut = EventField("timed_out", .u8, "1 when the wait ended by its time-out")
}
