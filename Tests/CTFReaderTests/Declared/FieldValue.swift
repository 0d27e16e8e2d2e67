/// A value of a declared trace. Its shape determines the encoding.
indirect enum FieldValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByFloatLiteral
{
    case number(UInt64)
    case float(Double)
    case text([UInt8])
    /// The fields of a structure, or the elements of an array.
    case list([FieldValue])
    /// An option of a variant and its value.
    case option(String, FieldValue)

    init(integerLiteral value: Int64) { self = .number(UInt64(bitPattern: value)) }
    init(floatLiteral value: Double) { self = .float(value) }
    init(stringLiteral value: String) { self = .text(Array(value.utf8)) }
    init(arrayLiteral elements: FieldValue...) { self = .list(elements) }
}

extension BitWriter {
    /// Appends a value of a shape.
    ///
    /// - Parameters:
    ///   - value: the value, which must match the shape.
    ///   - shape: the type.
    ///   - native: the trace's byte order.
    mutating func append(_ value: FieldValue, as shape: FieldShape, native: FieldShape.ByteOrder) {
        switch (shape, value) {
        case (.integer(let type), .number(let number)), (.enumeration(let type, _), .number(let number)):
            align(type.alignment)
            append(number, size: type.size, isBigEndian: (type.order ?? native) == .be)
        case (.float(let bits, let alignment, let order), .float(let number)):
            align(alignment)
            let pattern = bits == 32 ? UInt64(Float(number).bitPattern) : number.bitPattern
            append(pattern, size: bits, isBigEndian: (order ?? native) == .be)
        case (.string, .text(let text)): append(text + [0])
        case (.array, .text(let text)), (.sequence, .text(let text)): append(text)
        case (.structure(let fields, _), .list(let values)):
            precondition(
                fields.count == values.count, "a structure of \(fields.map(\.name)) with \(values.count) values")
            align(shape.alignment)
            for (field, value) in zip(fields, values) { append(value, as: field.shape, native: native) }
        case (.array(let element, _), .list(let values)), (.sequence(let element, _), .list(let values)):
            align(shape.alignment)
            for value in values { append(value, as: element, native: native) }
        case (.variant(_, let options), .option(let name, let value)):
            guard let option = options.first(where: { $0.name == name }) else {
                preconditionFailure("no option \(name)")
            }
            append(value, as: option.shape, native: native)
        default: preconditionFailure("\(value) is no value of \(shape)")
        }
    }
}
