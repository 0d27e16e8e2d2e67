/// A compiled field type: sizes are computed, and references are indices of stores.
final class FieldNode {
    /// The meaning of a field for the reader.
    enum Role: Hashable, Sendable {
        case none
        case magic, uuid, streamID, streamInstanceID
        case timestampBegin, timestampEnd, contentSize, packetSize, sequenceNumber, discarded, tid, processor,
            eventCount
        case eventID, time
    }

    /// The type of the field.
    enum Kind {
        case integer
        case float
        case string
        case structure([FieldNode])
        case array(FieldNode, count: Int)
        case sequence(FieldNode, lengthStore: Int)
        case variant([FieldNode], choices: [Choice], tagStore: Int, isSigned: Bool)
        case optional(FieldNode, choices: [Choice], selectorStore: Int, isSigned: Bool)
    }

    /// A range of tag values that selects an option.
    struct Choice: Hashable, Sendable {
        var lower: UInt64
        var upper: UInt64
        var option: Int
    }

    /// An integer, or the bytes of a UUID, at a fixed offset in bits from the start of the enclosing field.
    struct Place {
        var offset: Int
        let size: Int
        let isSigned: Bool
        let isBigEndian: Bool
        let store: Int
        let role: Role
    }

    let name: String
    let declaredName: String
    let kind: Kind
    /// Alignment in bits.
    private(set) var alignment: Int
    /// Size in bits of a field that starts at its alignment; nil when the size depends on values.
    let fixedSize: Int?
    /// Size of an integer or a floating-point number in bits.
    var size = 0
    var isSigned = false
    var isBigEndian = false
    var base = 10
    var enumeration: CTFEnumerationType?
    /// The flags of a bit map.
    var bitMap: CTFBitMapType?
    var isBoolean = false
    /// Whether an integer is stored in LEB128.
    var isVariableLength = false
    /// Whether the bits of a number are reversed after they are read.
    var isReversed = false
    /// Whether an array is a BLOB.
    var isBlob = false
    /// The encoding of a string, or of an array that is a text.
    var encoding = CTFStringEncoding.utf8
    /// Whether the elements of an array are the bytes of a text.
    var isText = false
    var role = Role.none
    /// The index of the store that keeps the value for lengths and tags; -1 when no field refers to it.
    var store = -1
    /// The integers inside the field that have a store or a role, and the UUID. Nil when the field can only be skipped
    /// by visiting its parts.
    private(set) var places: [Place]?

    init(_ field: (name: String, declaredName: String), _ kind: Kind, alignment: Int, fixedSize: Int?) {
        name = field.name
        declaredName = field.declaredName
        self.kind = kind
        self.alignment = alignment
        self.fixedSize = fixedSize
    }

    var isInteger: Bool {
        if case .integer = kind { return true }
        return false
    }

    /// Whether the field is an integer or enumeration that has no other representation and no variable length.
    var isPlainInteger: Bool { isInteger && !isVariableLength && !isReversed && !isBoolean && bitMap == nil }

    /// Increases the alignment.
    func align(to minimum: Int) { alignment = max(alignment, minimum) }

    /// The fields of a structure; empty for other kinds.
    var fields: [FieldNode] {
        if case .structure(let fields) = kind { return fields }
        return []
    }

    /// The offset of each field in bits from the start of the structure; -1 when it depends on values.
    var fixedOffsets: [Int] {
        var position: Int? = 0
        return fields.map { field in
            let start = position.map { BitField.align($0, field.alignment) }
            position = if let start, let size = field.fixedSize { start + size } else { nil }
            return start ?? -1
        }
    }

    /// The place of an integer field itself, at offset 0.
    var place: Place {
        Place(offset: 0, size: size, isSigned: isSigned, isBigEndian: isBigEndian, store: store, role: role)
    }

    /// Whether the field can be skipped by its size alone.
    var canBePassed: Bool { places?.isEmpty ?? false }

    /// A structure with more places is visited instead, because each enclosing structure copies them.
    private static let placeLimit = 64

    /// Computes ``places``. Call it after all references and roles are resolved.
    func computePlaces() {
        let own = store >= 0 || role != .none ? [place] : []
        switch kind {
        // A reversed number has no place, so it is visited when its value is needed.
        case .integer, .float, .string: places = isReversed && !own.isEmpty ? nil : own
        case .structure(let fields): places = computePlaces(fields)
        case .array(let element, _), .sequence(let element, _):
            element.computePlaces()
            places = element.canBePassed ? own : nil
        case .variant(let options, _, _, _): for option in options { option.computePlaces() }
        case .optional(let content, _, _, _): content.computePlaces()
        }
        if fixedSize == nil { places = nil }
    }

    private func computePlaces(_ fields: [FieldNode]) -> [Place]? {
        for field in fields { field.computePlaces() }
        var (places, end): ([Place], Int) = ([], 0)
        for field in fields {
            guard let size = field.fixedSize, let inner = field.places else { return nil }
            let begin = BitField.align(end, field.alignment)
            places += inner.map { $0.moved(by: begin) }
            end = begin + size
        }
        return places.count <= Self.placeLimit ? places : nil
    }
}

extension FieldNode.Place {
    fileprivate func moved(by distance: Int) -> Self {
        var moved = self
        moved.offset += distance
        return moved
    }
}
