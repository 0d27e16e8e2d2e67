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

    /// Takes over what a definition says.
    ///
    /// - Parameters:
    ///   - event: the definition.
    ///   - createdAt: when it was created; nil when it existed before.
    ///   - code: where it was created.
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
        // A definition may not know the width of queues whose kind implies it.
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
    /// A statedump says the same about a queue as its creation.
    init(_ event: DispatchEvent.QueueState) {
        self.init(
            queue: event.queue, label: event.label, width: event.width, qos: event.qos, target: event.target,
            flags: event.flags, code: event.code, stack: event.stack, tid: event.tid)
    }
}
