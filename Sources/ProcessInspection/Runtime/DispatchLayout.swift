/// Offsets in the objects of libdispatch, as in Swift 5.10 to 6.3 on Linux.
///
/// libdispatch exports the offsets of label, serial number, width and target queue. If these differ, the other offsets
/// are unknown too, and no queue is read.
enum DispatchLayout {
    // Any object.
    static let next: UInt64 = 16
    static let target: UInt64 = 24
    // Queues.
    static let itemsTail: UInt64 = 48
    static let state: UInt64 = 56
    static let serialNumber: UInt64 = 64
    static let label: UInt64 = 72
    static let width: UInt64 = 80
    static let itemsHead: UInt64 = 104
    // Work items.
    static let function: UInt64 = 32
    static let context: UInt64 = 40
    // Blocks.
    static let blockInvoke: UInt64 = 16
    static let blockClosure: UInt64 = 32
    /// The record of a blocked `sync` on the stack of its thread. It is a work item whose context is the record itself.
    enum SyncWaiter {
        static let queue: UInt64 = 56
        static let thread: UInt64 = 100
        /// The futex that the thread waits for.
        static let futex: UInt64 = 96
    }
    // Semaphores and groups.
    static let semaphoreInitialValue: UInt64 = 56
    static let groupState: UInt64 = 48

    /// The exported structure `dispatch_queue_offsets`: 16-bit numbers.
    static let exportedVersion = (index: 0, value: UInt16(6))
    static let exported: [(index: Int, value: UInt64)] = [(1, label), (5, serialNumber), (7, width), (13, target)]
    static let exportedCount = 14

    /// Whether the structure has the known values.
    static func matches(_ offsets: [UInt16]) -> Bool {
        offsets.count >= exportedCount && offsets[exportedVersion.index] == exportedVersion.value
            && exported.allSatisfy { UInt64(offsets[$0.index]) == $0.value }
    }
}

/// The kind of an object of libdispatch, by its class.
enum DispatchKind: String, CaseIterable {
    case serial = "queue_serial"
    case concurrent = "queue_concurrent"
    case global = "queue_global"
    case main = "queue_main"
    case manager = "queue_mgr"
    case runLoop = "queue_runloop"
    case workloop, source, semaphore, group, io, operation, disk, data
    case queue

    /// The symbols of the class. The number of underscores differs between compilers.
    var symbols: [String] { ["_OS_dispatch_\(rawValue)_vtable", "__OS_dispatch_\(rawValue)_vtable"] }

    var isQueue: Bool {
        switch self {
        case .serial, .concurrent, .global, .main, .manager, .runLoop, .workloop, .queue: true
        case .source, .semaphore, .group, .io, .operation, .disk, .data: false
        }
    }

    /// Whether a queue of this kind can have an owner, items of its own and suspensions of the program.
    var isProgramQueue: Bool { isQueue && self != .global && self != .manager }
}

/// The state word of a queue (`dq_state` of libdispatch).
struct QueueState: Equatable {
    let word: UInt64

    private static let ownerMask: UInt64 = 0x3FFF_FFFF
    private static let inactiveBits: UInt64 = 0x0180_0000_0000_0000
    private static let suspensionShift: UInt64 = 58

    /// The id of the thread that drains the queue or runs a sync on it; nil for a free queue. The id is in the
    /// namespace of the process.
    var owner: UInt32? {
        let owner = UInt32(word & Self.ownerMask)
        return owner == 0 ? nil : owner
    }

    /// The number of suspensions without a resume, at most 63.
    var suspensions: Int { Int(word >> Self.suspensionShift) }
    var isInactive: Bool { word & Self.inactiveBits == Self.inactiveBits }
}
