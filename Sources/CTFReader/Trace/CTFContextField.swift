/// A field of an event record outside its payload; ``CTFTrace/contextField(_:of:)`` finds it.
public struct CTFContextField: Hashable, Sendable {
    /// The structure that contains the field.
    public var scope: Scope
    /// The index of the field in the structure.
    public var index: Int

    /// The structures around a payload, outermost first.
    public enum Scope: Hashable, Sendable {
        /// The packet context, shared by all records of a packet: ``CTFStreamClass/packetContext``.
        case packet
        /// The event header: ``CTFStreamClass/eventHeader``.
        case header
        /// The event context of the stream class: ``CTFStreamClass/eventContext``.
        case stream
        /// The event context of the event class: ``CTFEventClass/context``.
        case event
    }

    /// Creates a reference to a field.
    public init(scope: Scope, index: Int) {
        self.scope = scope
        self.index = index
    }
}

extension CTFTrace {
    /// Finds a context field by name, in the innermost structure that has it.
    ///
    /// - Parameters:
    ///   - name: the name without a leading underscore, such as `vpid`, `vtid`, `procname`, `cpu_id` or
    ///     `perf_cpu_cycles`.
    ///   - classIndex: index of the event class in ``eventClasses``.
    /// - Returns: the field; nil when the records of the class have no such field.
    /// - Complexity: O(fields). Find fields before the pass over the records.
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
