import DispatchAnalysis
import Foundation
import Testing

/// `queuescope explain` prints the documentation comment of a detector. Tools/generate-schema copies it into the code.
@Suite struct DetectorDocumentationTests {
    private static let detectors = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/DispatchAnalysis/Detectors")

    /// The names of the detector types, from the registry.
    private static var types: [String] { DetectorRegistry.all.map { "\($0)" }.sorted() }

    /// The files under `Detectors`. Each family has a folder.
    private static func sources() throws -> [URL] {
        let files = try #require(FileManager.default.enumerator(at: detectors, includingPropertiesForKeys: nil))
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    @Test("Every file under Detectors with a detector is in the registry")
    func registered() throws {
        let files = try Self.sources().filter { try String(contentsOf: $0, encoding: .utf8).contains(": Detector {") }
        #expect(files.map { $0.deletingPathExtension().lastPathComponent }.sorted() == Self.types)
    }

    @Test("Every threshold is documented under its name with its default, and nothing else is")
    func thresholds() {
        for detector in DetectorRegistry.all {
            let section = detector.documentation.components(separatedBy: "## Thresholds\n").last ?? ""
            let text = section.components(separatedBy: "\n## ").first ?? ""
            let documented = text.split(separator: "\n").filter { $0.hasPrefix("- ") }.map {
                String($0.dropFirst(2).prefix { $0 != ":" })
            }
            #expect(documented == detector.thresholds.map { "\($0.name) = \($0.standardText)" }, "\(detector.id)")
        }
    }

    /// The sections that every detector has, in this order.
    private static let sections = [
        "Definition", "Thresholds", "Why it matters", "What it cannot see", "Advice", "Source",
    ]

    /// The text below each heading. The summary has an empty heading.
    private func sections(of documentation: String) -> [(title: String, text: String)] {
        documentation.components(separatedBy: "\n## ").enumerated().map { position, part in
            guard position > 0 else { return ("", part) }
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
        }
    }

    @Test("Every detector documents definition, thresholds, reasons, limits, advice and source, each in sentences")
    func complete() throws {
        for detector in DetectorRegistry.all {
            let sections = sections(of: detector.documentation)
            #expect(sections.map(\.title) == [""] + Self.sections, "\(detector.id)")
            for (title, text) in sections {
                let words = text.split(whereSeparator: \.isWhitespace)
                #expect(words.count >= (title == "Thresholds" || title == "Source" ? 2 : 6), "\(detector.id): \(title)")
                #expect(text.contains("."), "\(detector.id): \(title) has no sentence")
            }
            let thresholds = try #require(sections.first { $0.title == "Thresholds" }).text
            #expect(
                detector.thresholds.isEmpty == thresholds.trimmingPrefix(while: \.isWhitespace).hasPrefix("None"),
                "\(detector.id) states whether it has thresholds")
        }
    }

    @Test("Every detector has a drawn example of some lines")
    func pictures() throws {
        for detector in DetectorRegistry.all {
            let parts = detector.documentation.components(separatedBy: "```")
            try #require(
                parts.count >= 3 && parts.count % 2 == 1, "\(detector.id) has no picture, or one that does not end")
            #expect(parts[1].split(separator: "\n").count >= 2, "\(detector.id)")
            #expect(parts[1].contains { "─│├┤╭╰▲▼→·←|+█▓░".contains($0) }, "\(detector.id) draws nothing")
        }
    }
}
