import CTFReader

/// An event record of the catalogue, and whose it is. It is valid during the call that hands it over.
public struct RoutedEvent {
    let record: EventRecord
    /// The number of its class in the catalogue.
    let id: UInt8
    /// The positions of its fields.
    let fields: UnsafePointer<Int>
    /// When it happened, in nanoseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// The thread that recorded it; 0 for definitions.
    public let tid: UInt32
    /// The number of its process.
    public internal(set) var process: Int

    /// What happened.
    public var event: DispatchEvent {
        guard let event = DispatchEvent(id: id, record: record, fields: fields) else {
            preconditionFailure("event \(id) is not of the catalogue")
        }
        return event
    }
}

extension ModelBuilder {
    /// Takes in an event of the process.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - time: when, as for ``handle(_:at:tid:)``.
    /// - Complexity: O(1) for events of items, syncs and locks.
    @inline(__always)
    public mutating func handle(_ event: RoutedEvent, at time: Timestamp) {
        advance(to: time)
        DispatchEvent.decode(id: event.id, event.record, fields: event.fields, into: &self, tid: event.tid)
    }
}
