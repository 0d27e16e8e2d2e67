/// Where a number lies in the event context that all records of a stream have.
struct ContextNumber {
    /// How to load it from the context's first byte, where that takes one load.
    private var slot = FieldSlot.indirect
    /// The field's position in the context, -1 when there is none.
    private var field = -1

    /// Whether records have the number.
    var isThere: Bool { field >= 0 }

    /// Whether one load gets it.
    var isDirect: Bool { slot.mask != 0 }

    /// The number, where ``isDirect`` says so.
    @inline(__always)
    func load(from start: UnsafeRawPointer) -> UInt64 { slot.load(from: start) }

    /// Finds a number by its possible names, the best one first.
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

    /// The number of the record that is being delivered.
    ///
    /// - Parameters:
    ///   - start: the context's first byte.
    ///   - decoder: stands at the record.
    /// - Returns: the number, 0 when records have none.
    @inline(__always)
    func load(from start: UnsafeRawPointer, _ decoder: RecordDecoder) -> UInt64 {
        guard slot.mask == 0 else { return slot.load(from: start) }
        return field < 0 ? 0 : decoder.value(CTFContextField(scope: .stream, index: field))?.bits ?? 0
    }
}
