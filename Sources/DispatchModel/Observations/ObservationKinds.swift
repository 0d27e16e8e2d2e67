/// Kinds of observations, for observers that follow only some of them.
public struct ObservationKinds: OptionSet, Sendable {
    public let rawValue: UInt32
    /// - Parameter rawValue: one bit per kind.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// ``Observation/item(_:)``.
    public static let items = ObservationKinds(rawValue: 1)
    /// ``Observation/acquisition(_:)``.
    public static let acquisitions = ObservationKinds(rawValue: 2)
    /// ``Observation/handoff(_:)``.
    public static let handoffs = ObservationKinds(rawValue: 4)
    /// ``Observation/misuse(_:)``.
    public static let misuses = ObservationKinds(rawValue: 8)
    /// ``Observation/signpost(_:)``.
    public static let signposts = ObservationKinds(rawValue: 16)
    /// ``Observation/applyIteration(_:)``.
    public static let applyIterations = ObservationKinds(rawValue: 32)
    /// ``Observation/blockedWait(_:)``.
    public static let blockedWaits = ObservationKinds(rawValue: 64)
    /// ``Observation/objectChange(_:)``.
    public static let objectChanges = ObservationKinds(rawValue: 128)
    /// ``Observation/processorSlice(_:)``.
    public static let processorSlices = ObservationKinds(rawValue: 256)
    /// ``Observation/signal(_:)``.
    public static let signals = ObservationKinds(rawValue: 512)
    /// ``Observation/worker(_:)``.
    public static let workers = ObservationKinds(rawValue: 1024)
    /// ``Observation/apply(_:)``.
    public static let applies = ObservationKinds(rawValue: 2048)
    /// ``Observation/pending(_:)``.
    public static let pendingItems = ObservationKinds(rawValue: 4096)
    /// ``Observation/domainOrder(_:)``.
    public static let domainOrders = ObservationKinds(rawValue: 8192)
    /// ``Observation/timer(_:)``.
    public static let timers = ObservationKinds(rawValue: 16384)
    /// ``Observation/item(_:)`` of barriers only: for observers that need no others.
    public static let barriers = ObservationKinds(rawValue: 1 << 20)
    /// Every kind, those of later versions included.
    public static let all = ObservationKinds(rawValue: .max)
}

extension Observation {
    /// The kind of this observation.
    public var kind: ObservationKinds {
        switch self {
        case .item(let item): item.isBarrier ? [.items, .barriers] : .items
        case .acquisition: .acquisitions
        case .handoff: .handoffs
        case .misuse: .misuses
        case .signpost: .signposts
        case .applyIteration: .applyIterations
        case .blockedWait: .blockedWaits
        case .objectChange: .objectChanges
        case .processorSlice: .processorSlices
        case .signal: .signals
        case .worker: .workers
        case .apply: .applies
        case .pending: .pendingItems
        case .domainOrder: .domainOrders
        case .timer: .timers
        }
    }
}
