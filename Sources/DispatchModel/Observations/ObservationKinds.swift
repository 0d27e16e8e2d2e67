/// Kinds of observations, for observers that follow only some of them.
public struct ObservationKinds: OptionSet, Sendable {
    public let rawValue: UInt16
    /// - Parameter rawValue: one bit per kind.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

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
    /// Every kind, those of later versions included.
    public static let all = ObservationKinds(rawValue: .max)
}

extension Observation {
    /// The kind of this observation.
    public var kind: ObservationKinds {
        switch self {
        case .item: .items
        case .acquisition: .acquisitions
        case .handoff: .handoffs
        case .misuse: .misuses
        case .signpost: .signposts
        case .applyIteration: .applyIterations
        case .blockedWait: .blockedWaits
        case .objectChange: .objectChanges
        case .processorSlice: .processorSlices
        }
    }
}
