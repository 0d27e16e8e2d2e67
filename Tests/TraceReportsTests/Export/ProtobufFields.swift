/// The fields of an encoded protobuf message, by number.
struct ProtobufFields {
    /// The bytes do not end where a field ends, or have a field of an unknown type.
    struct Malformed: Error {}

    private var numbers: [UInt64: [UInt64]] = [:]
    private var contents: [UInt64: [[UInt8]]] = [:]

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        func varint() throws -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard let byte = rest.popFirst() else { break }
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return value }
            }
            throw Malformed()
        }
        func take(_ count: UInt64) throws -> [UInt8] {
            guard count <= rest.count else { throw Malformed() }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }
        while !rest.isEmpty {
            let tag = try varint()
            switch tag & 7 {
            case 0: numbers[tag >> 3, default: []].append(try varint())
            case 1: numbers[tag >> 3, default: []].append(try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
            case 2: contents[tag >> 3, default: []].append(try take(varint()))
            default: throw Malformed()
            }
        }
    }

    /// The values of a field of integers.
    func numbers(_ field: UInt64) -> [UInt64] { numbers[field] ?? [] }

    /// The values of a field of texts.
    func texts(_ field: UInt64) -> [String] { (contents[field] ?? []).map { String(decoding: $0, as: UTF8.self) } }

    /// The values of a field of messages.
    func messages(_ field: UInt64) throws -> [ProtobufFields] { try (contents[field] ?? []).map { try Self($0) } }
}
