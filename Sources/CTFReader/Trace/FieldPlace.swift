/// Where the records of an event class have a field of their payload, see ``CTFTrace/place(of:in:)``.
public struct FieldPlace: Sendable {
    @usableFromInline let slot: FieldSlot
    /// Its position in the payload, -1 for a field that the class does not have.
    public let position: Int

    @usableFromInline init(_ slot: FieldSlot, position: Int) {
        self.slot = slot
        self.position = position
    }

    /// A field that the class does not have: its number is 0, its text empty.
    public static let absent = FieldPlace(.indirect, position: -1)

    /// The class does not have it.
    @inlinable public var isAbsent: Bool { position < 0 }
}

extension CTFTrace {
    /// Where the records of a class have a field.
    ///
    /// - Parameters:
    ///   - field: its position in the class's ``CTFEventClass/fields``.
    ///   - classIndex: the class's position in ``eventClasses``.
    /// - Returns: the place, in records of this trace.
    public func place(of field: Int, in classIndex: Int) -> FieldPlace {
        precondition(eventClasses[classIndex].fields.indices.contains(field))
        return FieldPlace(plan.layouts[classIndex].slots[field], position: field)
    }
}
