import Foundation
import TestSupport
import Testing

/// Checks that the excerpts, links and commands in the README and the DocC pages are valid.
@Suite("The README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: Package.root)

    private func text(of path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The pages of all catalogues, as paths from the root.
    private static let pages: [String] = {
        let sources = FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path)
        return (sources?.compactMap { $0 as? String } ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
            .map { "Sources/" + $0 }.sorted()
    }()

    @Test("shows a report as the command prints it, apart from ellipses (`Tools/figures` updates it)")
    func excerpt() throws {
        let readme = try text(of: "README.md")
        let shown = try #require(readme.components(separatedBy: "<!-- report excerpt -->\n```text\n").dropFirst().first)
        let excerpt = try #require(shown.components(separatedBy: "\n```\n<!-- end of excerpt -->").first)
        let trace = Self.root.appendingPathComponent("traces/1.7/news-service-before/trace").path
        let report = try Program.queuescope.run(["report", trace, "--color", "never"])
        #expect(report.status == 0)
        for part in excerpt.components(separatedBy: "\n     …\n") { #expect(report.output.contains(part)) }
    }

    @Test("is at most 151 lines long, and names the two commands for a first run")
    func size() throws {
        let lines = try text(of: "README.md").components(separatedBy: "\n")
        #expect(lines.count <= 151)
        for line in lines { #expect(line.count <= 120, "\(line)") }
        #expect(lines.contains("swift run -c release queuescope demo"))
        #expect(lines.contains("Tools/test"))
    }

    @Test("links to files that exist", arguments: ["README.md"] + pages)
    func links(page: String) throws {
        let text = try text(of: page)
        let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
        let targets =
            text.matches(of: /(!?)\[[^\]]*\]\(([^)\s]+)\)/).map { (isPicture: !$0.output.1.isEmpty, path: $0.output.2) }
            + text.matches(of: /(?m)^\[[^\]]+\]: (\S+)$/).map { (isPicture: false, path: $0.output.1) }
        for target in targets where !target.path.hasPrefix("https://") && !target.path.hasPrefix("#") {
            // DocC finds pictures by name, without a folder or extension.
            let path = target.isPicture && page != "README.md" ? "Resources/\(target.path).png" : String(target.path)
            let file = folder.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(page) links to \(path)")
        }
        for link in text.matches(of: /<doc:(\w+)>/) {
            let file = folder.appendingPathComponent("\(link.output.1).md").path
            #expect(FileManager.default.fileExists(atPath: file), "\(page) links to the page \(link.output.1)")
        }
    }

    @Test("every page of the module's catalogue is in its table of contents")
    func contents() throws {
        let contents = try text(of: "Sources/Queuescope/Queuescope.docc/Queuescope.md")
        for page in Self.pages where page.hasPrefix("Sources/Queuescope/") && !page.hasSuffix("/Queuescope.md") {
            let name = URL(fileURLWithPath: page).deletingPathExtension().lastPathComponent
            #expect(contents.contains("- <doc:\(name)>\n"), "\(name)")
        }
    }

    @Test("names commands that exist", arguments: ["README.md"] + pages)
    func commands(page: String) throws {
        let help = try Program.queuescope.run(["--help"]).lines
        for command in try text(of: page).matches(of: /(?m)(?:^|`|\/)queuescope ([a-z][a-z-]*)/) {
            #expect(help.contains { $0.hasPrefix("  \(command.output.1) ") }, "\(page) names \(command.output.0)")
        }
    }

    @Test("uses options that the commands have")
    func options() throws {
        for line in try text(of: "README.md").components(separatedBy: "\n") {
            guard let words = try /^queuescope ([a-z-]+)(.*)$/.wholeMatch(in: line)?.output else { continue }
            let help = try Program.queuescope.run([String(words.1), "--help"]).output
            let own = words.2.components(separatedBy: " -- ")[0]
            for option in own.matches(of: /\ (-[-a-z]+)/) { #expect(help.contains(option.output.1), "\(line)") }
        }
    }
}
