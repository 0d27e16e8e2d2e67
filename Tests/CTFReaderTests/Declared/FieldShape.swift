/// A field type of a declared trace. It generates the TSDL text and the bytes of values.
indirect enum FieldShape: Sendable {
    case integer(IntegerShape)
    case enumeration(IntegerShape, [(label: String, lower: Int64, upper: Int64)])
    case float(bits: Int, align: Int = 8, order: ByteOrder? = nil)
    case string
    case structure([(name: String, shape: FieldShape)], align: Int? = nil)
    case array(FieldShape, Int)
    /// A sequence; the string is the reference to its length in TSDL.
    case sequence(FieldShape, String)
    case variant(String, [(name: String, shape: FieldShape)])

    enum ByteOrder: String, Sendable { case le, be }

    struct IntegerShape: Sendable {
        var size: Int
        var align: Int?
        var signed = false
        var order: ByteOrder?
        var base = 10
        var clock: String?
        var encoding: String?

        var alignment: Int { align ?? (size % 8 == 0 ? 8 : 1) }

        var text: String {
            var text = "integer { size = \(size); "
            if let align { text += "align = \(align); " }
            if signed { text += "signed = true; " }
            if let order { text += "byte_order = \(order); " }
            if base != 10 { text += "base = \(base); " }
            if let clock { text += "map = clock.\(clock).value; " }
            if let encoding { text += "encoding = \(encoding); " }
            return text + "}"
        }
    }

    static func u(_ size: Int, align: Int? = nil, _ order: ByteOrder? = nil, base: Int = 10) -> FieldShape {
        .integer(.init(size: size, align: align, order: order, base: base))
    }

    static func s(_ size: Int, align: Int? = nil, _ order: ByteOrder? = nil, base: Int = 10) -> FieldShape {
        .integer(.init(size: size, align: align, signed: true, order: order, base: base))
    }

    static func time(_ size: Int, _ clock: String = "c", align: Int? = nil) -> FieldShape {
        .integer(.init(size: size, align: align, clock: clock))
    }

    static let character = FieldShape.integer(.init(size: 8, encoding: "UTF8"))

    /// The declaration of a field in TSDL.
    func declaration(of name: String) -> String {
        switch self {
        case .array(let element, let count): element.declaration(of: "\(name)[\(count)]")
        case .sequence(let element, let length): element.declaration(of: "\(name)[\(length)]")
        default: "\(text) \(name)"
        }
    }

    /// The type in TSDL without brackets of arrays.
    var text: String {
        switch self {
        case .integer(let shape): return shape.text
        case .enumeration(let container, let mappings):
            let list = mappings.map {
                "\"\($0.label)\" = \($0.lower)" + ($0.lower == $0.upper ? "" : " ... \($0.upper)")
            }
            return "enum : \(container.text) { \(list.joined(separator: ", ")) }"
        case .float(let bits, let align, let order):
            let digits = bits == 32 ? "exp_dig = 8; mant_dig = 24;" : "exp_dig = 11; mant_dig = 53;"
            return "floating_point { \(digits) align = \(align); \(order.map { "byte_order = \($0); " } ?? "")}"
        case .string: return "string"
        case .structure(let fields, let align):
            return "struct { \(Self.list(fields)) }" + (align.map { " align(\($0))" } ?? "")
        case .variant(let tag, let options): return "variant <\(tag)> { \(Self.list(options)) }"
        case .array(let element, _), .sequence(let element, _): return element.text
        }
    }

    private static func list(_ fields: [(name: String, shape: FieldShape)]) -> String {
        fields.map { "\($0.shape.declaration(of: $0.name));" }.joined(separator: " ")
    }

    /// The alignment in bits.
    var alignment: Int {
        switch self {
        case .integer(let shape), .enumeration(let shape, _): shape.alignment
        case .float(_, let align, _): align
        case .string: 8
        case .structure(let fields, let align): max(align ?? 1, fields.map(\.shape.alignment).max() ?? 1)
        case .array(let element, _), .sequence(let element, _): element.alignment
        case .variant: 1
        }
    }
}
