/// The fast path for common event headers: an id, or a tag that selects one of two forms, and a time stamp. All fields
/// are little-endian and at fixed positions.
struct HeaderPlan {
    /// One form of the header.
    struct Form {
        /// The tag's values for which the header has this form.
        var lowest: UInt64
        var highest: UInt64
        /// The id of the event class; a mask of 0 means that the tag is the id.
        var id: FieldSlot
        /// The time stamp; a mask of 0 means that there is none.
        var time: FieldSlot
        /// Size of the header in bits.
        var size: Int
    }

    var tag: FieldSlot
    var compact: Form
    var extended: Form
    /// Alignment of the header in bits.
    var alignment: Int
    /// Size of the larger form in bits. One comparison with it covers both forms.
    var largestSize: Int
    /// The compact form when one word holds it; nil otherwise.
    var word: Word?

    /// A header of whole bytes that fits into one word and whose tag is the id of the event class.
    struct Word {
        let tagMask: UInt64
        let timeShift: UInt64
        let timeMask: UInt64
        let bytes: Int

        init?(tag: FieldSlot, _ form: Form, alignment: Int) {
            let shift = Int(form.time.byteOffset) * 8 + Int(form.time.shift)
            guard alignment == 8, tag.byteOffset == 0, tag.shift == 0, form.id.mask == 0, form.size & 7 == 0,
                form.time.mask != 0, form.time.mask < 1 << 63, tag.mask < 1 << 63,
                shift + (64 - form.time.mask.leadingZeroBitCount) <= 64
            else { return nil }
            tagMask = tag.mask
            timeShift = UInt64(shift)
            timeMask = form.time.mask
            bytes = form.size >> 3
        }
    }

    /// Creates the plan of a header; nil when the fast path cannot read it.
    init?(_ header: FieldNode) {
        guard header.alignment >= 8, let first = header.fields.first, first.isInteger,
            let tag = FieldSlot(first, at: 0), first.role == .eventID, !first.isSigned
        else { return nil }
        self.tag = tag
        alignment = header.alignment
        // An empty range of tags is never selected.
        extended = Form(lowest: 1, highest: 0, id: .indirect, time: .indirect, size: 0)
        if header.fields.count == 2, case .variant(let options, let choices, let store, false) = header.fields[1].kind {
            guard choices.count == 2, options.count == 2, store == first.store,
                let compact = Self.form(options[choices[0].option], choices[0], after: first.size, header),
                let extended = Self.form(options[choices[1].option], choices[1], after: first.size, header)
            else { return nil }
            self.compact = compact
            self.extended = extended
        } else {
            guard let form = Self.form(header, .init(lower: 0, upper: .max, option: 0), after: 0, header) else {
                return nil
            }
            compact = form
            compact.id = .indirect
        }
        largestSize = max(compact.size, extended.size)
        word = Word(tag: tag, compact, alignment: alignment)
    }

    private static func form(
        _ structure: FieldNode, _ choice: FieldNode.Choice, after start: Int, _ header: FieldNode
    ) -> Form? {
        guard case .structure(let fields) = structure.kind, structure.alignment <= header.alignment else { return nil }
        var form = Form(lowest: choice.lower, highest: choice.upper, id: .indirect, time: .indirect, size: 0)
        var position = BitField.align(start, structure.alignment)
        for field in fields {
            position = BitField.align(position, field.alignment)
            guard let size = field.fixedSize else { return nil }
            switch field.role {
            case .eventID, .time:
                guard let slot = FieldSlot(field, at: position), !field.isSigned else { return nil }
                if field.role == .time { form.time = slot } else { form.id = slot }
            default:
                // Other fields can be skipped only when no field refers to them.
                guard field.canBePassed else { return nil }
            }
            position += size
        }
        form.size = position
        return form
    }
}
