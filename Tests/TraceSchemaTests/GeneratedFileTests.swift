import Foundation
import Glibc
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

    @Test("are marked as generated in .gitattributes")
    func areMarked() throws {
        let attributes = try String(contentsOf: Self.package.appendingPathComponent(".gitattributes"), encoding: .utf8)
        let lines = attributes.split(separator: "\n").filter { $0.hasSuffix(" linguist-generated") }
        let patterns = lines.map { String($0.dropLast(" linguist-generated".count)) }
        for file in try GeneratedFile.all(in: Self.package) {
            // Git applies a pattern without a slash to the name of the file.
            let isMarked = patterns.contains { pattern in
                let name = pattern.contains("/") ? file.path : (file.path as NSString).lastPathComponent
                return fnmatch(pattern, name, FNM_PATHNAME) == 0
            }
            #expect(isMarked, "\(file.path)")
        }
    }
}
