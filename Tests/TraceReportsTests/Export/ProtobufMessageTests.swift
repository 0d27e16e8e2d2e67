import Testing

@testable import TraceExports

@Suite("A protobuf message")
struct ProtobufMessageTests {
    @Test("has the bytes of the examples in the specification")
    func examples() {
        var message = ProtobufMessage()
        message.append(1, 150)
        #expect(message.bytes == [0x08, 0x96, 0x01])
        message.removeAll()
        message.append(2, "testing")
        #expect(message.bytes == [0x12, 0x07] + Array("testing".utf8))
        message.removeAll()
        message.append(3) { $0.append(1, 150) }
        #expect(message.bytes == [0x1a, 0x03, 0x08, 0x96, 0x01])
        message.removeAll()
        message.append(1, signed: -2)
        #expect(message.bytes == [0x08, 0xfe] + Array(repeating: 0xff, count: 8) + [0x01])
    }

    @Test("has each number", arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 63, .max] as [UInt64])
    func numbers(number: UInt64) throws {
        var message = ProtobufMessage()
        message.append(16, number)
        message.append(47, fixed: number)
        let fields = try ProtobufFields(message.bytes)
        #expect(fields.numbers(16) == [number])
        #expect(fields.numbers(47) == [number])
    }

    @Test("has nested messages of each length", arguments: [0, 1, 125, 126, 127, 128, 16_380, 16_384, 3_000_000])
    func nested(length: Int) throws {
        let text = String(repeating: "x", count: length)
        var message = ProtobufMessage()
        message.append(11) { outer in
            outer.append(4) { $0.append(6, text) }
            outer.append(9, 1)
        }
        message.append(12, 2)
        let fields = try ProtobufFields(message.bytes)
        let outer = try #require(try fields.messages(11).first)
        #expect(try outer.messages(4).first?.texts(6) == [text])
        #expect(outer.numbers(9) == [1])
        #expect(fields.numbers(12) == [2])
    }
}
