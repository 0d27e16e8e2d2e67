/// Reads the objects of libdispatch in the memory of a process.
struct DispatchRuntime {
    /// A queue at one instant.
    struct Queue {
        let address: UInt64
        let kind: DispatchKind
        let label: String
        let serialNumber: UInt64
        let width: UInt16
        let target: UInt64
        let state: QueueState
        /// The first items, in their order.
        let items: [Item]
        /// The number of items, at most ``DispatchRuntime/mostItems``.
        let itemCount: Int
    }

    /// A work item in a queue.
    struct Item: Equatable {
        enum Content: Equatable {
            /// A function with a context.
            case function(UInt64, context: UInt64)
            /// A block: its function, and the closure that it calls.
            case block(invoke: UInt64, closure: UInt64)
            /// A thread that waits in a sync.
            case waiter(thread: UInt32)
            /// Another queue, or a source, whose items run on this queue.
            case object(UInt64, DispatchKind)
        }

        let address: UInt64
        let content: Content
    }

    /// Most items that are counted. Longer lists can be loops, because the list changes while it is read.
    static let mostItems = 100_000
    /// Most items whose code is read.
    private static let mostDescribed = 16
    /// Most queues of a hierarchy that are followed to the root.
    static let deepestHierarchy = 64
    private static let longestLabel = 1024
    private static let callBlock = "_dispatch_call_block_and_release"

    private let memory: ProcessMemory
    /// The kinds of objects by the addresses of their classes.
    let classes: [UInt64: DispatchKind]
    /// Whether this build of libdispatch has the layout of ``DispatchLayout``.
    let isKnown: Bool
    let mainQueue: UInt64?
    /// The function of libdispatch that runs a submitted block.
    private let blockRunner: UInt64?

    /// Finds libdispatch in a process. No object is found in a process without it.
    init(_ symbols: RuntimeSymbols, memory: ProcessMemory) {
        self.memory = memory
        let library = "libdispatch"
        let variables = symbols.variables(
            Set(DispatchKind.allCases.flatMap(\.symbols) + ["_dispatch_main_q", "dispatch_queue_offsets"]), in: library)
        var classes: [UInt64: DispatchKind] = [:]
        for kind in DispatchKind.allCases {
            for address in kind.symbols.compactMap({ variables[$0] }) { classes[address] = kind }
        }
        self.classes = classes
        mainQueue = variables["_dispatch_main_q"]
        let offsets = variables["dispatch_queue_offsets"].map {
            memory.bytes(at: $0, count: 2 * DispatchLayout.exportedCount)
        }
        let numbers = offsets.map { bytes in
            stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        }
        let isMainQueue = mainQueue.flatMap { memory.word(at: $0) }.flatMap { classes[$0] } == .main
        isKnown = !classes.isEmpty && isMainQueue && numbers.map(DispatchLayout.matches) == true
        blockRunner = symbols.functions([Self.callBlock], in: library)[Self.callBlock]
    }

    /// The kind of the object at an address; nil when there is none.
    func kind(at address: UInt64) -> DispatchKind? {
        guard isKnown, address & 7 == 0, address != 0 else { return nil }
        return memory.word(at: address).flatMap { classes[$0] }
    }

    /// Reads a queue; nil when there is none at the address.
    func queue(at address: UInt64) -> Queue? {
        guard let kind = kind(at: address), kind.isQueue, let words = memory.words(at: address, count: 14) else {
            return nil
        }
        func word(_ offset: UInt64) -> UInt64 { words[Int(offset / 8)] }
        guard word(DispatchLayout.serialNumber) < 1 << 40 else { return nil }
        let label = memory.text(at: word(DispatchLayout.label), longest: Self.longestLabel) ?? ""
        var items: [Item] = []
        var count = 0
        // Global queues keep their items in another way.
        if kind.isProgramQueue || kind == .global, word(DispatchLayout.itemsTail) >= 4096 {
            var next = word(DispatchLayout.itemsHead)
            if next == 0 { next = word(DispatchLayout.itemsTail) }
            while next >= 4096, next < ProcessMemory.addressLimit, next & 7 == 0, count < Self.mostItems {
                count += 1
                if items.count < Self.mostDescribed, let item = item(at: next) { items.append(item) }
                guard let following = memory.word(at: next &+ DispatchLayout.next) else { break }
                next = following
            }
        }
        return Queue(
            address: address, kind: kind, label: label, serialNumber: word(DispatchLayout.serialNumber),
            width: UInt16(truncatingIfNeeded: word(DispatchLayout.width)), target: word(DispatchLayout.target),
            state: QueueState(word: word(DispatchLayout.state)), items: items, itemCount: count)
    }

    private func item(at address: UInt64) -> Item? {
        guard let words = memory.words(at: address, count: 6) else { return nil }
        if let kind = classes[words[0]] { return Item(address: address, content: .object(address, kind)) }
        let (function, context) = (words[Int(DispatchLayout.function / 8)], words[Int(DispatchLayout.context / 8)])
        if context == address {
            let thread: UInt32? = memory.integer(at: address &+ DispatchLayout.SyncWaiter.thread)
            return thread.map { Item(address: address, content: .waiter(thread: $0)) }
        }
        if function == blockRunner, let block = memory.words(at: context, count: 5) {
            let invoke = block[Int(DispatchLayout.blockInvoke / 8)]
            let closure = block[Int(DispatchLayout.blockClosure / 8)]
            return Item(address: address, content: .block(invoke: invoke, closure: closure))
        }
        return Item(address: address, content: .function(function, context: context))
    }

    /// The record of a blocked sync whose thread waits for a futex; nil when the futex belongs to something else.
    ///
    /// - Parameters:
    ///   - futex: the address of the futex.
    ///   - thread: the id of the waiting thread in the namespace of the process.
    /// - Returns: the queue on which the thread called sync.
    func queue(ofSyncWaitingFor futex: UInt64, thread: UInt32) -> UInt64? {
        guard isKnown, futex > DispatchLayout.SyncWaiter.futex else { return nil }
        let record = futex &- DispatchLayout.SyncWaiter.futex
        guard memory.word(at: record &+ DispatchLayout.context) == record,
            memory.integer(at: record &+ DispatchLayout.SyncWaiter.thread) == thread
        else { return nil }
        return memory.word(at: record &+ DispatchLayout.SyncWaiter.queue).flatMap {
            kind(at: $0)?.isQueue == true ? $0 : nil
        }
    }

    /// The semaphore or group that contains a futex; nil when there is none.
    func object(containing futex: UInt64) -> (address: UInt64, kind: DispatchKind)? {
        let aligned = futex & ~7
        for distance in stride(from: UInt64(48), through: 128, by: 8) where aligned > distance {
            if let kind = kind(at: aligned - distance), kind == .semaphore || kind == .group {
                return (aligned - distance, kind)
            }
        }
        return nil
    }

    /// The value with which a semaphore was created.
    func initialValue(ofSemaphore address: UInt64) -> Int? {
        memory.word(at: address &+ DispatchLayout.semaphoreInitialValue).map { Int(bitPattern: UInt($0)) }
    }

    /// The number of enters of a group without a leave.
    func enters(ofGroup address: UInt64) -> Int? {
        // The low half of the state is -4 × enters, with flags in the low two bits.
        memory.integer(at: address &+ DispatchLayout.groupState, as: UInt32.self).map { Int((0 &- ($0 & ~3)) >> 2) }
    }
}
