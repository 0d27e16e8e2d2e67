/// The decoding plan of an event class.
final class ClassPlan {
    let streamContext: FieldNode?
    let eventContext: FieldNode?
    let payload: FieldNode?
    /// The structures that the class has, in the order of a record.
    var structures: [FieldNode] { [streamContext, eventContext, payload].compactMap { $0 } }
    /// The top-level fields of the payload.
    let fields: [FieldNode]
    /// The offset of each field in bits from the start of the payload; -1 when it depends on values.
    let fixedOffsets: [Int]
    /// The steps that find the ends of the fields, from the first field of variable size on; nil when only
    /// ``FieldWalker`` can.
    let steps: [Step]?
    /// Whether the contexts have fixed sizes.
    let hasFixedContexts: Bool
    /// Whether lengths or tags refer to fields of the event header.
    let refersToHeader: Bool
    /// Whether lengths or tags refer to fields of the packet.
    let refersToPacket: Bool

    /// A step that finds the end of a field.
    enum Step {
        case fixed(alignment: Int, size: Int)
        case text
        case sequence(lengthField: Int, alignment: Int, elementSize: Int)
    }

    /// The index of the field that ``steps`` starts with: the first field without a fixed size.
    var firstStep: Int { fields.firstIndex { $0.fixedSize == nil } ?? fields.count }

    init(
        streamContext: FieldNode?, eventContext: FieldNode?, payload: FieldNode?, outerRoots: Set<FieldCompiler.Root>
    ) {
        self.streamContext = streamContext
        self.eventContext = eventContext
        self.payload = payload
        fields = payload?.fields ?? []
        hasFixedContexts = [streamContext, eventContext].allSatisfy { $0 == nil || $0?.fixedSize != nil }
        refersToHeader = outerRoots.contains(.eventHeader)
        refersToPacket = outerRoots.contains(.packetHeader) || outerRoots.contains(.packetContext)
        fixedOffsets = payload?.fixedOffsets ?? []
        steps = outerRoots.isEmpty ? Self.steps(of: fields) : nil
    }

    private static func steps(of fields: [FieldNode]) -> [Step]? {
        var steps: [Step] = []
        for field in fields.drop(while: { $0.fixedSize != nil }) {
            if let size = field.fixedSize {
                steps.append(.fixed(alignment: field.alignment, size: size))
                continue
            }
            switch field.kind {
            case .string where field.encoding.unitSize == 1: steps.append(.text)
            case .sequence(let element, let store):
                guard let size = element.fixedSize, size > 0, size % element.alignment == 0,
                    let length = fields.firstIndex(where: { $0.store == store })
                else { return nil }
                steps.append(.sequence(lengthField: length, alignment: field.alignment, elementSize: size))
            default: return nil
            }
        }
        return steps
    }
}
