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
    /// Whether the field cannot be passed over by its size alone.
    var mustVisit = false

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

    /// Finds out which fields must be visited, once all references are known.
    @discardableResult
    func settle() -> Bool {
        mustVisit = store >= 0 || role != .none || fixedSize == nil
        switch kind {
        case .integer, .float, .string: break
        case .structure(let fields): for field in fields where field.settle() { mustVisit = true }
        case .array(let element, _), .sequence(let element, _): if element.settle() { mustVisit = true }
        case .variant(let options, _, _, _): for option in options { option.settle() }
        }
        return mustVisit
    }
}
