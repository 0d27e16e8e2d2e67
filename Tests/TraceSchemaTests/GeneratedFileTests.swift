import Foundation
import Testing

@testable import SchemaGenerator

@Suite("Generated files")
struct GeneratedFileTests {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("match the sources; otherwise run Tools/generate-schema")
    func areUpToDate() throws {
        for expected in try GeneratedFile.all(in: Self.package) {
            let found = try String(contentsOf: Self.package.appendingPathComponent(expected.path), encoding: .utf8)
            #expect(found == expected.contents, "\(expected.path) is stale")
        }
    }
}
