/// Kinds of observations, for observers that follow only some of them.
public struct ObservationKinds: OptionSet, Sendable {
    public let rawValue: UInt32
    /// - Parameter rawValue: one bit per kind.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// ``Observation/item(_:)``.
    @inlinable public static var items: ObservationKinds { ObservationKinds(rawValue: 1) }
    /// ``Observation/acquisition(_:)`` of locks.
    @inlinable public static var lockAcquisitions: ObservationKinds { ObservationKinds(rawValue: 2) }
    /// ``Observation/acquisition(_:)`` of exclusion queues.
    @inlinable public static var queueAcquisitions: ObservationKinds { ObservationKinds(rawValue: 1 << 15) }
    /// ``Observation/acquisition(_:)``.
    @inlinable public static var acquisitions: ObservationKinds { [.lockAcquisitions, .queueAcquisitions] }
    /// ``Observation/handoff(_:)``.
    @inlinable public static var handoffs: ObservationKinds { ObservationKinds(rawValue: 4) }
    /// ``Observation/misuse(_:)``.
    @inlinable public static var misuses: ObservationKinds { ObservationKinds(rawValue: 8) }
    /// ``Observation/signpost(_:)``.
    @inlinable public static var signposts: ObservationKinds { ObservationKinds(rawValue: 16) }
    /// ``Observation/applyIteration(_:)``.
    @inlinable public static var applyIterations: ObservationKinds { ObservationKinds(rawValue: 32) }
    /// ``Observation/blockedWait(_:)``.
    @inlinable public static var blockedWaits: ObservationKinds { ObservationKinds(rawValue: 64) }
    /// ``Observation/objectChange(_:)``.
    @inlinable public static var objectChanges: ObservationKinds { ObservationKinds(rawValue: 128) }
    /// ``Observation/processorSlice(_:)``.
    @inlinable public static var processorSlices: ObservationKinds { ObservationKinds(rawValue: 256) }
    /// ``Observation/signal(_:)``.
    @inlinable public static var signals: ObservationKinds { ObservationKinds(rawValue: 512) }
    /// ``Observation/worker(_:)``.
    @inlinable public static var workers: ObservationKinds { ObservationKinds(rawValue: 1024) }
    /// ``Observation/apply(_:)``.
    @inlinable public static var applies: ObservationKinds { ObservationKinds(rawValue: 2048) }
    /// ``Observation/pending(_:)`` of libdispatch's items.
    @inlinable public static var pendingItems: ObservationKinds { ObservationKinds(rawValue: 4096) }
    /// ``Observation/domainOrder(_:)``.
    @inlinable public static var domainOrders: ObservationKinds { ObservationKinds(rawValue: 8192) }
    /// ``Observation/timer(_:)``.
    @inlinable public static var timers: ObservationKinds { ObservationKinds(rawValue: 16384) }
    /// ``Observation/taskRun(_:)``.
    @inlinable public static var taskRuns: ObservationKinds { ObservationKinds(rawValue: 1 << 16) }
    /// ``Observation/taskWait(_:)``.
    @inlinable public static var taskWaits: ObservationKinds { ObservationKinds(rawValue: 1 << 17) }
    /// ``Observation/task(_:)``.
    @inlinable public static var tasks: ObservationKinds { ObservationKinds(rawValue: 1 << 18) }
    /// ``Observation/item(_:)`` of barriers, for observers that need no other items.
    @inlinable public static var barriers: ObservationKinds { ObservationKinds(rawValue: 1 << 20) }
    /// ``Observation/item(_:)`` of actors and event loops. Detectors receive these items only if they follow this kind.
    @inlinable public static var foreignItems: ObservationKinds { ObservationKinds(rawValue: 1 << 21) }
    /// ``Observation/pending(_:)`` of actors and event loops.
    @inlinable public static var pendingForeignItems: ObservationKinds { ObservationKinds(rawValue: 1 << 22) }
    /// ``Observation/blockedCall(_:)``.
    @inlinable public static var blockedCalls: ObservationKinds { ObservationKinds(rawValue: 1 << 23) }
    /// ``Observation/keptChildren(_:)``.
    @inlinable public static var keptChildren: ObservationKinds { ObservationKinds(rawValue: 1 << 24) }
    /// Every kind, including kinds of later versions.
    @inlinable public static var all: ObservationKinds { ObservationKinds(rawValue: .max) }
}

extension Observation {
    /// The kind of this observation.
    public var kind: ObservationKinds {
        switch self {
        case .item(let item): item.kinds
        case .acquisition(let acquisition):
            if case .lock = acquisition.domain { .lockAcquisitions } else { .queueAcquisitions }
        case .handoff: .handoffs
        case .misuse: .misuses
        case .signpost: .signposts
        case .applyIteration: .applyIterations
        case .blockedWait: .blockedWaits
        case .objectChange: .objectChanges
        case .processorSlice: .processorSlices
        case .blockedCall: .blockedCalls
        case .signal: .signals
        case .worker: .workers
        case .apply: .applies
        case .pending(let item): item.isForeign ? .pendingForeignItems : .pendingItems
        case .domainOrder: .domainOrders
        case .timer: .timers
        case .taskRun: .taskRuns
        case .taskWait: .taskWaits
        case .task: .tasks
        case .keptChildren: .keptChildren
        }
    }
}

extension Item {
    /// The kind of the item, and the kinds that follow from it.
    @inline(__always)
    var kinds: ObservationKinds {
        var kinds = ObservationKinds.items
        if isBarrier { kinds.formUnion(.barriers) }
        if isForeign { kinds.formUnion(.foreignItems) }
        if domainPosition >= 0 { kinds.formUnion(.queueAcquisitions) }
        return kinds
    }
}
