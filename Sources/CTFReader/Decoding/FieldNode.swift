/// A field type made ready for decoding: sizes computed, references replaced by numbers.
final class FieldNode {
    /// What the reader itself wants to know of a field.
    enum Role {
        case none
        case magic, uuid, streamID, streamInstanceID
        case timestampBegin, timestampEnd, contentSize, packetSize, sequenceNumber, discarded, tid, processor, eventCount
        case eventID, time
    }

    /// What the field consists of.
    enum Kind {
        case integer
        case float
        case string
        case structure([FieldNode])
        case array(FieldNode, count: Int)
        case sequence(FieldNode, lengthStore: Int)
        case variant([FieldNode], choices: [Choice], tagStore: Int, isSigned: Bool)
    }

    /// The tag's values that select an option.
    struct Choice {
        var lower: UInt64
        var upper: UInt64
        var option: Int
    }

    /// A number, or the bytes of an identity, at a fixed distance in bits from the begin of the field that it is in.
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
    /// Bits; the field begins at a multiple of it.
    let alignment: Int
    /// Size in bits when the field begins at its alignment; nil when it depends on values.
    let fixedSize: Int?
    /// Bits of a number.
    var size = 0
    var isSigned = false
    var isBigEndian = false
    var base = 10
    var enumeration: CTFEnumerationType?
    /// Whether an array's elements are the bytes of a text.
    var isText = false
    var role = Role.none
    /// Where the value is kept for fields that refer to it, -1 when none does.
    var store = -1
    /// The numbers in it that others need, and the identity; nil when it cannot be passed over without a visit to its
    /// parts.
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

    /// The fields of a structure, nothing for other kinds.
    var fields: [FieldNode] {
        if case .structure(let fields) = kind { return fields }
        return []
    }

    /// For each of the ``fields`` its place in bits from the structure's begin, -1 where it depends on values.
    var fixedOffsets: [Int] {
        var position: Int? = 0
        return fields.map { field in
            let start = position.map { BitField.align($0, field.alignment) }
            position = if let start, let size = field.fixedSize { start + size } else { nil }
            return start ?? -1
        }
    }

    /// The number, at the begin of the field.
    var place: Place {
        Place(offset: 0, size: size, isSigned: isSigned, isBigEndian: isBigEndian, store: store, role: role)
    }

    /// Whether the field can be passed over by its size alone.
    var canBePassed: Bool { places?.isEmpty ?? false }

    /// A structure with more of them is visited: each one around it would have them once more.
    private static let placeLimit = 64

    /// Finds the places of the numbers that others need, once all references and roles are known.
    func settle() {
        let own = store >= 0 || role != .none ? [place] : []
        switch kind {
        case .integer, .float, .string: places = own
        case .structure(let fields): places = settle(fields)
        case .array(let element, _), .sequence(let element, _):
            element.settle()
            places = element.canBePassed ? own : nil
        case .variant(let options, _, _, _): for option in options { option.settle() }
        }
        if fixedSize == nil { places = nil }
    }

    private func settle(_ fields: [FieldNode]) -> [Place]? {
        for field in fields { field.settle() }
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
