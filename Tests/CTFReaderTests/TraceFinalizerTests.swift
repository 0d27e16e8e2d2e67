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

    /// The same without the rest that is not written.
    private static let short = PacketBuilder.build { $0.item(1, at: 1) }
    private static let empty = PacketBuilder.build { $0.minimumSize = 4096 }
    private static let discarding = PacketBuilder.build {
        $0.discarded = 5; $0.minimumSize = 4096
    }

    @Test("what was never used is cut off the end, and nothing the second time")
    func cuts() throws {
        let fixture = CTFTraceFixture(files: [
            ("a", Self.used + Self.used + Self.zeros + Self.zeros), ("b", Self.zeros), ("c", Self.used + Self.prepared),
            ("d", Self.used), ("e", Self.used + [0, 0, 0]), ("f", Self.short),
            ("g", Self.used + Self.empty + Self.empty), ("h", Self.used + Self.discarding + Self.zeros),
            ("i", Self.empty),
        ])
        let rest = 4096 - Self.short.count
        try fixture.use { path in
            let report = try TraceFinalizer.finalize(path: path)
            #expect(
                report.files == [
                    .init(path: "\(path)/a", bytesBefore: 16384, bytesAfter: 8192 - rest),
                    .init(path: "\(path)/b", bytesBefore: 4096, bytesAfter: 0),
                    .init(path: "\(path)/c", bytesBefore: 8192, bytesAfter: 4096 - rest),
                    .init(path: "\(path)/d", bytesBefore: 4096, bytesAfter: 4096 - rest),
                    .init(path: "\(path)/e", bytesBefore: 4099, bytesAfter: 4096 - rest),
                    .init(path: "\(path)/g", bytesBefore: 12288, bytesAfter: 4096 - rest),
                    .init(path: "\(path)/h", bytesBefore: 12288, bytesAfter: 4096 + PacketBuilder.headSize),
                    .init(path: "\(path)/i", bytesBefore: 4096, bytesAfter: PacketBuilder.headSize),
                ])
            #expect(report.bytesCut == report.files.reduce(0) { $0 + $1.bytesBefore - $1.bytesAfter })
            // The last packet says that it is no longer than what is written.
            let expected: [String: [UInt8]] = [
                "a": Self.used + Self.short, "b": [], "c": Self.short, "d": Self.short, "e": Self.short,
                "f": Self.short, "g": Self.short, "h": Self.used + PacketBuilder.build { $0.discarded = 5 },
                "i": PacketBuilder.build { _ in },
            ]
            for (name, bytes) in expected {
                #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) == Data(bytes), "\(name)")
            }
            #expect(try TraceFinalizer.finalize(path: path).files.isEmpty)
            #expect(try CTFTrace(path: path).forEachEvent { _ in }.events == 8)
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
