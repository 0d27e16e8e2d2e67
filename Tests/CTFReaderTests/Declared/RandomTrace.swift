import TestSupport

/// Generates traces of random types with random values.
struct RandomTrace {
    private var random: SplitMix
    private var order = FieldShape.ByteOrder.le
    private var names = 0

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    /// Generates a trace of one stream class with several event classes.
    mutating func trace() -> DeclaredTrace {
        order = Bool.random(using: &random) ? .le : .be
        var trace = DeclaredTrace(order: order)
        // No nested types here, because babeltrace2 2.0.4 crashes on them.
        let headerFields = fields(pick(0...2), depth: 0)
        let contextFields = fields(pick(0...3), depth: 0)
        let eventHeaderFields = fields(pick(0...2), depth: 0)
        trace.packetHeader? += headerFields
        trace.streams[0].packetContext? += contextFields
        trace.streams[0].eventHeader? += eventHeaderFields
        trace.streams[0].eventContext = fields(pick(0...3), depth: 0)
        trace.streams[0].events = (0...pick(0...2)).map { id in
            .init(
                name: "e\(id)", id: UInt64(id), context: fields(pick(0...2), depth: 0),
                fields: fields(pick(1...6), depth: 3))
        }
        var time: UInt64 = 1000
        let packets = (0...pick(0...2)).map { _ in
            var packet = DeclaredTrace.Packet(padding: pick(0...9))
            for extra in [headerFields, contextFields] {
                for (field, value) in zip(extra, values(of: extra)) { packet.values[field.name] = value }
            }
            for _ in 0...pick(0...6) {
                time += UInt64(pick(0...50))
                let event = pick(0...trace.streams[0].events.count - 1)
                let declared = trace.streams[0].events[event]
                packet.records.append(
                    .init(
                        event: event, header: [.number(declared.id), .number(time)] + values(of: eventHeaderFields),
                        streamContext: values(of: trace.streams[0].eventContext ?? []),
                        context: values(of: declared.context ?? []), fields: values(of: declared.fields ?? [])))
            }
            return packet
        }
        trace.files = [("s", packets)]
        return trace
    }

    // MARK: Types

    private mutating func fields(_ count: Int, depth: Int) -> [(name: String, shape: FieldShape)] {
        var fields: [(name: String, shape: FieldShape)] = []
        for _ in 0..<count {
            names += 1
            let number = names
            let name = "f\(number)"
            switch pick(0...9) {
            case 0 where depth > 0:
                fields.append(("n\(number)", .integer(.init(size: pick(3...16), align: [1, 8][pick(0...1)]))))
                fields.append((name, .sequence(shape(depth: depth - 1), "n\(number)")))
            case 1 where depth > 0:
                let mappings = (0..<3).map {
                    (label: "o\($0)", lower: Int64($0 * 2), upper: Int64($0 * 2 + pick(0...1)))
                }
                fields.append(
                    ("t\(number)", .enumeration(.init(size: pick(4...20), signed: pick(0...1) == 1), mappings)))
                let options = mappings.map { (name: $0.label, shape: shape(depth: depth - 1)) }
                fields.append((name, .variant("t\(number)", options)))
            default: fields.append((name, shape(depth: depth)))
            }
        }
        return fields
    }

    private mutating func integer() -> FieldShape.IntegerShape {
        // babeltrace2 2.0.4 prints hexadecimal numbers of 61 to 63 bits as 0x0.
        .init(
            size: [pick(1...60), 64][pick(0...9) / 9], align: [nil, 1, 1, 4, 8, 32][pick(0...5)],
            signed: pick(0...1) == 1,
            base: [2, 8, 10, 16][pick(0...3)])
    }

    private mutating func shape(depth: Int) -> FieldShape {
        switch pick(0...(depth > 0 ? 8 : 5)) {
        case 0, 1: return .integer(integer())
        case 2:
            return .integer(
                .init(size: 8 * pick(1...8), align: 8, signed: pick(0...1) == 1, order: [.le, .be][pick(0...1)]))
        case 3: return .float(bits: [32, 64][pick(0...1)], align: [8, 64][pick(0...1)])
        case 4: return .string
        case 5:
            let signed = pick(0...1) == 1
            return .enumeration(
                .init(size: pick(4...30), signed: signed), [("a", signed ? -4 : 0, 3), ("b", 2, 7), ("c", 5, 5)])
        case 6: return .array(shape(depth: depth - 1), pick(0...4))
        case 7: return .array(FieldShape.character, pick(1...6))
        default: return .structure(fields(pick(0...4), depth: depth - 1), align: [nil, 8, 16, 64][pick(0...3)])
        }
    }

    // MARK: Values

    private mutating func values(of fields: [(name: String, shape: FieldShape)]) -> [FieldValue] {
        var values: [FieldValue] = []
        for (index, field) in fields.enumerated() {
            switch field.shape {
            case .sequence(let element, _):
                let count = pick(0...4)
                values[index - 1] = .number(UInt64(count))
                values.append(.list((0..<count).map { _ in value(of: element) }))
            case .variant(_, let options):
                let choice = pick(0...options.count - 1)
                values[index - 1] = .number(UInt64(choice * 2))
                values.append(.option(options[choice].name, value(of: options[choice].shape)))
            default: values.append(value(of: field.shape))
            }
        }
        return values
    }

    private mutating func value(of shape: FieldShape) -> FieldValue {
        switch shape {
        case .integer(let type), .enumeration(let type, _):
            let bits = UInt64.random(in: 0...(.max), using: &random) >> UInt64(pick(0...60))
            return .number(type.size == 64 ? bits : bits & ((1 << UInt64(type.size)) - 1))
        case .float: return .float(Double(pick(-1000...1000)) / 8)
        // babeltrace2 2.0.4 prints an empty string as the string of an earlier record.
        case .string: return .text((0...pick(0...8)).map { _ in UInt8(pick(0x20...0x7E)) })
        case .structure(let fields, _): return .list(values(of: fields))
        case .array(let element, let count):
            if case .integer(let type) = element, type.encoding != nil {
                return .text((0..<count).map { _ in UInt8(pick(0x61...0x7A)) })
            }
            return .list((0..<count).map { _ in value(of: element) })
        case .sequence, .variant: return .list([])
        }
    }
}
