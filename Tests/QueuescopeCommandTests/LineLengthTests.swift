import Foundation
import TestSupport
import Testing

/// Lines end at 120 columns (`.editorconfig`), a tab counts as 4.
@Suite("Line length")
struct LineLengthTests {
    private static let limit = 120
    private static let tab = 4
    private static let extensions: Set = ["swift", "c", "h", "js", "css", "ts", "ld", "map", "py"]

    /// The hand-written sources, by path in the package: the manifest, the README, and the code and scripts below
    /// `Sources`, `Tests` and `Tools`. The scripts of `Tools` have no extension.
    private static func sources() throws -> [String] {
        var paths = ["Package.swift", "README.md"]
        for folder in ["Sources", "Tests", "Tools"] {
            let files = try #require(
                FileManager.default.enumerator(
                    at: URL(fileURLWithPath: "\(Package.root)/\(folder)"),
                    includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles))
            for case let file as URL in files where !isGenerated(file) && isSource(file) {
                paths.append(String(file.path.dropFirst(Package.root.count + 1)))
            }
        }
        return paths
    }

    private static func isGenerated(_ file: URL) -> Bool {
        file.pathComponents.contains("Generated") || file.lastPathComponent.contains(".generated.")
            // The page's words are next to the scripts that import them.
            || file.path.hasSuffix("/Web/trace/vocabulary.js")
    }

    /// Whether a file is code or a script. Symbolic links lead to files that are in the list themselves.
    private static func isSource(_ file: URL) -> Bool {
        guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else { return false }
        guard file.pathExtension.isEmpty else { return extensions.contains(file.pathExtension) }
        return FileManager.default.isExecutableFile(atPath: file.path)
    }

    private static func columns(of line: Substring) -> Int {
        line.reduce(0) { $1 == "\t" ? ($0 / tab + 1) * tab : $0 + 1 }
    }

    /// The numbers of the lines that are too long.
    private static func tooLong(_ text: String) -> [Int] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            // A character is at least one byte, and a tab at most four columns.
            let most = line.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? tab : 1) }
            return most > limit && columns(of: line) > limit ? number + 1 : nil
        }
    }

    @Test("No line of the sources, tests and tools is longer than 120 columns")
    func lines() throws {
        let sources = try Self.sources()
        #expect(sources.count > 1_500)
        for path in sources {
            let long = Self.tooLong(try String(contentsOfFile: "\(Package.root)/\(path)", encoding: .utf8))
            #expect(long.isEmpty, "\(path) has longer lines: \(long)")
        }
    }

    @Test("The columns of a line are counted, not its bytes")
    func columns() {
        let full = String(repeating: "×", count: 120)
        #expect(Self.tooLong("\(full)\n") == [])
        #expect(Self.tooLong("short\n\(full)+\n") == [2])
        #expect(Self.tooLong("\t\t\(full.prefix(112))") == [])
        #expect(Self.tooLong("\t\t\(full.prefix(113))") == [1])
        #expect(Self.tooLong("a\t\(full.prefix(117))") == [1])
    }
}
