extension Queue {
    /// The bits of `flags` in queue definitions.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let main = Flags(rawValue: 1)
        static let global = Flags(rawValue: 2)
        static let workloop = Flags(rawValue: 8)
        static let inactive = Flags(rawValue: 16)
        static let targetIsMutable = Flags(rawValue: 64)
    }

    /// Copies the properties from a definition.
    ///
    /// - Parameters:
    ///   - event: the definition.
    /// - createdAt: when the queue was created; nil for a queue that existed before the recording.
    /// - code: the code that created the queue.
    ///   - stack: the call stack of its creation.
    ///   - thread: the thread that recorded the definition.
    mutating func define(
        _ event: DispatchEvent.QueueCreate, createdAt: Timestamp?, code: CodeIndex, stack: StackIndex,
        thread: ThreadIndex
    ) {
        let flags = Flags(rawValue: event.flags)
        let isMain = flags.contains(.main)
        let isWorkloop = flags.contains(.workloop)
        kind =
            isMain
            ? .main
            : flags.contains(.global)
                ? .global
                : isWorkloop
                    ? .workloop
                    : event.width == 1 ? .serial : event.width > 1 ? .concurrent : .unknown
        // A definition can omit the width when the kind implies it.
        width = isMain || isWorkloop ? 1 : Int(event.width)
        label = event.label
        qos = event.qos
        if let createdAt {
            self.createdAt = createdAt
            createdOn = thread
        }
        isTargetMutable = flags.contains(.targetIsMutable)
        if code != .unknown { creationCode = code }
        if stack != .none { creationStack = stack }
    }
}

extension DispatchEvent.QueueCreate {
    /// Converts the record of a statedump, which has the same fields as the record of a creation.
    init(_ event: DispatchEvent.QueueState) {
        self.init(
            queue: event.queue, label: event.label, width: event.width, qos: event.qos, target: event.target,
            flags: event.flags, code: event.code, stack: event.stack, tid: event.tid)
    }
}
