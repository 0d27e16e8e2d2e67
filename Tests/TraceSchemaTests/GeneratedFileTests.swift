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
        try check(#require(GeneratedFile.all.first { $0.path == path }))
    }

    @Test("The detectors' documentation is that of their comments; otherwise run Tools/generate-schema")
    func detectors() throws { try check(.detectorDocumentation(in: Self.package)) }

    private func check(_ expected: GeneratedFile) throws {
        let found = try String(contentsOf: Self.package.appendingPathComponent(expected.path), encoding: .utf8)
        #expect(found == expected.contents, "\(expected.path) is stale")
    }
}
