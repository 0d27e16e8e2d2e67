import CTFReader
import Foundation
import Testing

@Suite("EventFormatter")
struct EventFormatterTests {
    private func lines(_ fixture: CTFTraceFixture, _ options: EventFormatter.Options) throws -> [String] {
        try fixture.use { path in
            var text = Data()
            _ = try EventFormatter.write([try CTFTrace(path: path)], options: options) { text.append(contentsOf: $0) }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test("a line has the time, the delta, the program, the event, the thread and the fields")
    func line() throws {
        let bytes = PacketBuilder.build {
            $0.item(0xABC, at: 4)
            $0.label(Array("a\"b".utf8), at: 9)
            $0.stack([], at: 10)
            $0.stack([16, 17], at: 10)
        }
        let fixture = CTFTraceFixture(files: [("s", bytes)])
        #expect(
            try lines(fixture, .init(clockCycles: true)) == [
                "[00000000000000000004] (+????????????) host:program:(7) item: { tid = 100 }, "
                    + "{ item = 0xABC, queue = 17 }",
                "[00000000000000000009] (+000000000005) host:program:(7) label: { tid = 100 }, "
                    + "{ queue = 9, label = \"a\\\"b\", width = 1 }",
                "[00000000000000000010] (+000000000001) host:program:(7) stack: { tid = 100 }, "
                    + "{ stack = 5, frames_length = 0, frames = [ ], last = 238 }",
                "[00000000000000000010] (+000000000000) host:program:(7) stack: { tid = 100 }, "
                    + "{ stack = 5, frames_length = 2, frames = [ [0] = 0x10, [1] = 0x11 ], last = 238 }",
            ])
    }

    @Test("deltas are the differences of the times of day")
    func deltas() throws {
        let bytes = PacketBuilder.build {
            $0.item(1, at: 0); $0.item(2, at: 3_000_000_001)
        }
        let lines = try lines(CTFTraceFixture(files: [("s", bytes)]), .init())
        #expect(lines.first?.contains(":40.000000005] (+?.?????????) ") == true)
        #expect(lines.last?.contains(":43.000000006] (+3.000000001) ") == true)
    }

    @Test("much text is written in several pieces of whole lines")
    func pieces() throws {
        let bytes = PacketBuilder.build { for time in 0..<5000 { $0.item(1, at: UInt64(time)) } }
        try CTFTraceFixture(files: [("s", bytes)]).use { path in
            var pieces = 0
            var count = 0
            _ = try EventFormatter.write([try CTFTrace(path: path)]) { text in
                pieces += 1
                count += text.count { $0 == UInt8(ascii: "\n") }
                #expect(text.last == UInt8(ascii: "\n"))
            }
            #expect(pieces > 3)
            #expect(count == 5000)
        }
    }

    @Test("when the lines cannot be written, that is said, and nothing more is written", arguments: [1, 2, 30])
    func failure(failing: Int) throws {
        struct Full: Error {}
        let bytes = PacketBuilder.build { for time in 0..<40_000 { $0.item(1, at: UInt64(time)) } }
        try CTFTraceFixture(files: [("s", bytes)]).use { path in
            var pieces = 0
            #expect(throws: Full.self) {
                try EventFormatter.write([try CTFTrace(path: path)]) { _ in
                    pieces += 1
                    if pieces == failing { throw Full() }
                }
            }
            #expect(pieces == failing)
        }
    }
}
