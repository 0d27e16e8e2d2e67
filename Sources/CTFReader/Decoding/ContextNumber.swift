/// The position of an integer in the stream's event context.
struct ContextNumber {
    /// The slot relative to the first byte of the context, when one load can read the integer.
    private var slot = FieldSlot.indirect
    /// The index of the field in the context; -1 when there is none.
    private var field = -1

    /// Whether the records have the field.
    var isThere: Bool { field >= 0 }

    /// Whether one load reads the integer.
    var isDirect: Bool { slot.mask != 0 }

    /// Reads the integer when ``isDirect`` is true.
    @inline(__always)
    func load(from start: UnsafeRawPointer) -> UInt64 { slot.load(from: start) }

    /// Finds an integer field by name.
    init(_ context: FieldNode?, named names: String...) {
        guard let context else { return }
        for name in names {
            guard let index = context.fields.firstIndex(where: { $0.name == name && $0.isInteger }) else { continue }
            field = index
            if context.alignment >= 8, case let offset = context.fixedOffsets[index], offset >= 0 {
                slot = FieldSlot(context.fields[index], at: offset) ?? .indirect
            }
            return
        }
    }

    /// Reads the integer of the current record.
    ///
    /// - Parameters:
    ///   - start: the first byte of the context.
    ///   - decoder: the decoder, positioned at the record.
    /// - Returns: the value; 0 when the records do not have the field.
    @inline(__always)
    func load(from start: UnsafeRawPointer, _ decoder: RecordDecoder) -> UInt64 {
        guard slot.mask == 0 else { return slot.load(from: start) }
        return field < 0 ? 0 : decoder.value(CTFContextField(scope: .stream, index: field))?.bits ?? 0
    }
}
