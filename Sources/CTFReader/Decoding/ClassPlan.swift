/// How event records of a class are decoded.
final class ClassPlan {
    let streamContext: FieldNode?
    let eventContext: FieldNode?
    let payload: FieldNode?
    /// What of these there is, in the order of the records.
    var structures: [FieldNode] { [streamContext, eventContext, payload].compactMap { $0 } }
    /// The top-level fields of the payload.
    let fields: [FieldNode]
    /// For each of them its place in bits from the payload's beginning, -1 where it depends on values.
    let fixedOffsets: [Int]
    /// How to find the ends of the fields from the first one of variable place on; nil when only ``FieldWalker`` can.
    let steps: [Step]?
    /// Whether the contexts have fixed sizes.
    let hasFixedContexts: Bool
    /// Whether lengths or tags refer to fields of the event header.
    let refersToHeader: Bool
    /// Whether lengths or tags refer to fields of the packet.
    let refersToPacket: Bool

    /// How to find the end of a field.
    enum Step {
        case fixed(alignment: Int, size: Int)
        case text
        case sequence(lengthField: Int, alignment: Int, elementSize: Int)
    }

    /// The place from which ``steps`` begin: the first field whose place or size is not fixed.
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
            case .string: steps.append(.text)
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
