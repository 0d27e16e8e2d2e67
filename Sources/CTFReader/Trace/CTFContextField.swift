/// A field of an event record that stands outside of its payload; ``CTFTrace/contextField(_:of:)`` finds it.
public struct CTFContextField: Hashable, Sendable {
    /// The structure that the field stands in.
    public var scope: Scope
    /// Its position in that structure.
    public var index: Int

    /// The structures around a payload, outermost first.
    public enum Scope: Hashable, Sendable {
        /// The packet's context, the same for all records of a packet: ``CTFStreamClass/packetContext``.
        case packet
        /// The event header: ``CTFStreamClass/eventHeader``.
        case header
        /// The context that all records of the stream have: ``CTFStreamClass/eventContext``.
        case stream
        /// The context that the records of one event class have: ``CTFEventClass/context``.
        case event
    }

    /// Names a field by its place.
    public init(scope: Scope, index: Int) {
        self.scope = scope
        self.index = index
    }
}

extension CTFTrace {
    /// Finds a context field by its name, in the innermost structure that has it.
    ///
    /// - Parameters:
    ///   - name: the name without leading underscore, such as `vpid`, `vtid`, `procname`, `cpu_id` or `perf_cpu_cycles`.
    ///   - classIndex: position of the event class in ``eventClasses``.
    /// - Returns: the field, nil when records of the class have none of that name.
    /// - Complexity: O(fields); find fields before the pass over the records.
    public func contextField(_ name: String, of classIndex: Int) -> CTFContextField? {
        let eventClass = eventClasses[classIndex]
        let streamClass = streamClasses[eventClass.streamClassIndex]
        let structures: [(CTFContextField.Scope, [CTFField])] = [
            (.event, eventClass.context), (.stream, streamClass.eventContext), (.header, streamClass.eventHeader),
            (.packet, streamClass.packetContext),
        ]
        for (scope, fields) in structures {
            if let index = fields.firstIndex(where: { $0.name == name }) { return .init(scope: scope, index: index) }
        }
        return nil
    }
}
