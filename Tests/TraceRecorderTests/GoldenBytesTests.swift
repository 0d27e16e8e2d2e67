import Foundation
import TestSupport
import Testing

@Suite("The bytes of a stream")
struct GoldenBytesTests {
    @Test("are those of the metadata: packet header, context, compact and extended event headers, fields")
    func goldenBytes() throws {
        let directory = TemporaryDirectory()
        _ = try Program.probe.scenario("golden", directory.appending("trace"))
        let file = directory.appending("trace/thread-0001")
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
        var events: [UInt8] = []
        // item_enqueue at 0x1122334410: id, low 32 bits of the time, item, queue (6 bytes each), code, kind, QoS
        events += [20, 0x10, 0x44, 0x33, 0x22, 0xA6, 0xA5, 0xA4, 0xA3, 0xA2, 0xA1]
        events += [0xB6, 0xB5, 0xB4, 0xB3, 0xB2, 0xB1, 5, 0, 0, 0, 1, 0x11]
        // item_begin
        events += [22, 0x20, 0x44, 0x33, 0x22, 0xA6, 0xA5, 0xA4, 0xA3, 0xA2, 0xA1, 0xB6, 0xB5, 0xB4, 0xB3, 0xB2, 0xB1]
        // item_end after 0x200000000 ticks: 255, 32-bit id, 64-bit time
        events += [255, 23, 0, 0, 0, 0x20, 0x44, 0x33, 0x22, 0x13, 0, 0, 0, 0xA6, 0xA5, 0xA4, 0xA3, 0xA2, 0xA1]
        // signpost_event: id, signpost, log, code, message with its NUL
        events += [113, 0x21, 0x44, 0x33, 0x22, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]
        events += Array("hello".utf8) + [0]

        let head = 88
        #expect(bytes.count == head + events.count, "a packet is as long as its content")
        #expect(Array(bytes[0..<4]) == [0xC1, 0x1F, 0xFC, 0xC1], "magic")
        #expect(Array(bytes[20..<24]) == [0, 0, 0, 0], "stream class 0")
        #expect(Array(bytes[24..<32]) == [1, 0, 0, 0, 0, 0, 0, 0], "stream instance 1")
        #expect(word(bytes, 32) == 0x11_2233_4410, "timestamp_begin: of the first event")
        #expect(word(bytes, 40) == 0x13_2233_4421, "timestamp_end: of the last event")
        #expect(word(bytes, 48) == UInt64(head + events.count) * 8, "content_size in bits")
        #expect(word(bytes, 56) == UInt64(head + events.count) * 8, "packet_size in bits")
        #expect(word(bytes, 64) == 0, "packet_seq_num")
        #expect(word(bytes, 72) == 0, "events_discarded")
        #expect(word(bytes, 80) >> 32 == 4, "event_count, behind the tid")
        #expect(Array(bytes[head...]) == events)
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
