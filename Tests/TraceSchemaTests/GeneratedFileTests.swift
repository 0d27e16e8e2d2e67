import Foundation
import Testing

@testable import SchemaGenerator

@Suite("Generated files")
struct GeneratedFileTests {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "are what the catalogue generates; otherwise run Tools/generate-schema",
        arguments: GeneratedFile.all.map(\.path))
    func isUpToDate(path: String) throws {
        let expected = try #require(GeneratedFile.all.first { $0.path == path }).contents
        let found = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        #expect(found == expected, "\(path) is stale")
    }
}
