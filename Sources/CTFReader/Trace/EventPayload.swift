/// The fields of an event record, valid only during the call that the record is passed to.
public struct EventPayload {
    // Bytes from here on may be loaded as whole words: every mapping is followed by readable bytes.
    @usableFromInline var start: UnsafeRawPointer
    @usableFromInline unowned(unsafe) var decoder: RecordDecoder

    @inlinable @inline(__always)
    init(start: UnsafeRawPointer, decoder: RecordDecoder) {
        self.start = start
        self.decoder = decoder
    }

    /// The value of an integer or enumeration field; a negative value gives its two's complement in 64 bits.
    ///
    /// - Parameter field: its place in records of the class.
    /// - Returns: the number; 0 for another type of field, and for one that the class does not have.
    @inlinable @inline(__always)
    public func unsigned(_ field: FieldPlace) -> UInt64 {
        field.slot.mask != 0 ? field.slot.load(from: start) : number(field)
    }

    @inlinable
    func number(_ field: FieldPlace) -> UInt64 { field.isAbsent ? 0 : decoder.number(field.position) }

    /// The value of an integer or enumeration field with its sign.
    ///
    /// - Parameter field: its place in records of the class.
    /// - Returns: the number; 0 for another type of field, and for one that the class does not have.
    @inlinable
    public func signed(_ field: FieldPlace) -> Int64 { Int64(bitPattern: unsigned(field)) }

    /// The text of a string field or of an array of characters; invalid UTF-8 is repaired.
    ///
    /// - Parameter field: its place in records of the class.
    /// - Returns: the text; empty for another type of field, and for one that the class does not have.
    public func string(_ field: FieldPlace) -> String { decoder.string(field.position) }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: its place in records of the class.
    /// - Returns: the numbers; empty for another type of field, and for one that the class does not have.
    public func unsignedArray(_ field: FieldPlace) -> [UInt64] { decoder.numbers(field.position) }
}
