/// The payload of an event record. It is valid only during the call that the record is passed to.
public struct EventPayload {
    // Whole words may be loaded at any byte of the payload, because readable bytes follow every mapping.
    @usableFromInline var start: UnsafeRawPointer
    @usableFromInline unowned(unsafe) var decoder: RecordDecoder

    @inlinable @inline(__always)
    init(start: UnsafeRawPointer, decoder: RecordDecoder) {
        self.start = start
        self.decoder = decoder
    }

    /// The value of an integer or enumeration field. A negative value is returned in two's complement.
    ///
    /// - Parameter field: the place of the field in records of the class.
    /// - Returns: the value; 0 for a field of another type or a field that the class does not have.
    @inlinable @inline(__always)
    public func unsigned(_ field: FieldPlace) -> UInt64 {
        field.slot.mask != 0 ? field.slot.load(from: start) : number(field)
    }

    @inlinable
    func number(_ field: FieldPlace) -> UInt64 { field.isAbsent ? 0 : decoder.number(field.position) }

    /// The value of an integer or enumeration field as a signed number.
    ///
    /// - Parameter field: the place of the field in records of the class.
    /// - Returns: the value; 0 for a field of another type or a field that the class does not have.
    @inlinable
    public func signed(_ field: FieldPlace) -> Int64 { Int64(bitPattern: unsigned(field)) }

    /// The text of a string field or an array of characters. Invalid UTF-8 is repaired.
    ///
    /// - Parameter field: the place of the field in records of the class.
    /// - Returns: the text; empty for a field of another type or a field that the class does not have.
    public func string(_ field: FieldPlace) -> String { decoder.string(field.position) }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: the place of the field in records of the class.
    /// - Returns: the numbers; empty for a field of another type or a field that the class does not have.
    public func unsignedArray(_ field: FieldPlace) -> [UInt64] { decoder.numbers(field.position) }
}
