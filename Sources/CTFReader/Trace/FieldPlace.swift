/// The place of a payload field in the records of an event class; see ``CTFTrace/place(of:in:)``.
public struct FieldPlace: Sendable {
    @usableFromInline let slot: FieldSlot
    /// The index in the payload; -1 for a field that the class does not have.
    public let position: Int

    @usableFromInline init(_ slot: FieldSlot, position: Int) {
        self.slot = slot
        self.position = position
    }

    /// The place of a field that the class does not have. Its number is 0 and its text is empty.
    public static let absent = FieldPlace(.indirect, position: -1)

    /// Whether the class does not have the field.
    @inlinable public var isAbsent: Bool { position < 0 }
}
