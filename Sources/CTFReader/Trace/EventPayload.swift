/// The fields of an event record, valid only during the call that the record is passed to.
///
/// Fields are named by their position in the payload of the record's event class, see ``CTFEventClass/fields``. A
/// position outside of the payload, such as -1 for a field that the class does not have, gives zero or nothing.
public struct EventPayload {
    // Bytes from here on may be loaded as whole words: every mapping is followed by readable bytes.
    @usableFromInline var start: UnsafeRawPointer
    @usableFromInline var slots: UnsafePointer<FieldSlot>
    @usableFromInline var slotCount: Int
    @usableFromInline unowned(unsafe) var decoder: RecordDecoder

    @inlinable @inline(__always)
    init(start: UnsafeRawPointer, slots: UnsafePointer<FieldSlot>, slotCount: Int, decoder: RecordDecoder) {
        self.start = start
        self.slots = slots
        self.slotCount = slotCount
        self.decoder = decoder
    }

    /// The value of an integer or enumeration field; a negative value gives its two's complement in 64 bits.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    @inlinable @inline(__always)
    public func unsigned(_ field: Int) -> UInt64 {
        guard UInt(bitPattern: field) < UInt(bitPattern: slotCount) else { return 0 }
        let slot = slots[field]
        guard slot.mask != 0 else { return decoder.number(field) }
        return slot.load(from: start)
    }

    /// The value of an integer or enumeration field with its sign.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    @inlinable
    public func signed(_ field: Int) -> Int64 {
        Int64(bitPattern: unsigned(field))
    }

    /// The text of a string field or of an array of characters; invalid UTF-8 is repaired.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the text; empty for another type of field.
    public func string(_ field: Int) -> String {
        decoder.string(field)
    }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the numbers; empty for another type of field.
    public func unsignedArray(_ field: Int) -> [UInt64] {
        decoder.numbers(field)
    }
}
