import CTFReader
import Foundation
import Testing

@Suite("TraceFinalizer")
struct TraceFinalizerTests {
    private static let used = PacketBuilder.build {
        $0.item(1, at: 1); $0.minimumSize = 4096
    }
    private static let prepared = PacketBuilder.build {
        $0.magic = 0; $0.minimumSize = 4096
    }
    private static let zeros = [UInt8](repeating: 0, count: 4096)

    private func sizes(_ path: String) throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "metadata" {
            sizes[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")).count
        }
        return sizes
    }

    @Test("unused packets are cut off the end, and nothing the second time")
    func cuts() throws {
        let fixture = CTFTraceFixture(files: [
            ("a", Self.used + Self.used + Self.zeros + Self.zeros), ("b", Self.zeros), ("c", Self.used + Self.prepared),
            ("d", Self.used), ("e", Self.used + [0, 0, 0]),
        ])
        try fixture.use { path in
            let report = try TraceFinalizer.finalize(path: path)
            #expect(
                report.files == [
                    .init(path: "\(path)/a", bytesBefore: 16384, bytesAfter: 8192),
                    .init(path: "\(path)/b", bytesBefore: 4096, bytesAfter: 0),
                    .init(path: "\(path)/c", bytesBefore: 8192, bytesAfter: 4096),
                    .init(path: "\(path)/e", bytesBefore: 4099, bytesAfter: 4096),
                ])
            #expect(report.bytesCut == 8192 + 4096 + 4096 + 3)
            #expect(try sizes(path) == ["a": 8192, "b": 0, "c": 4096, "d": 4096, "e": 4096])
            #expect(try TraceFinalizer.finalize(path: path).files.isEmpty)
            #expect(try CTFTrace(path: path).forEachEvent { _ in }.events == 5)
        }
    }

    @Test("what is damaged is left as it is")
    func keeps() throws {
        let hidden = PacketBuilder.build {
            $0.magic = 0; $0.item(1, at: 1); $0.minimumSize = 4096
        }
        let fixture = CTFTraceFixture(files: [
            ("a", Self.used + hidden), ("b", Self.used + Self.zeros + Self.used), ("c", [1, 2, 3] + Self.zeros),
            ("d", Array(Self.used.prefix(3000))),
        ])
        try fixture.use { path in
            let before = try sizes(path)
            #expect(try TraceFinalizer.finalize(path: path).files.isEmpty)
            #expect(try sizes(path) == before)
        }
    }

    @Test("a directory that is no trace is refused")
    func refuses() throws {
        try CTFTraceFixture(metadata: "nothing").use { path in
            _ = #expect(throws: CTFError.self) { try TraceFinalizer.finalize(path: path) }
        }
    }
}
