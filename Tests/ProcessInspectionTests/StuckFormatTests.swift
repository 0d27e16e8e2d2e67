import Foundation
import TestSupport
import Testing

@testable import ProcessInspection
@testable import ReportText

@Suite("Formats of stuck")
struct StuckFormatTests {
    private let directory = TemporaryDirectory()

    @Test(
        "The JSON of a process satisfies the schema that the command prints",
        .enabled(if: Program.canImport("jsonschema")), arguments: ["sync-cycle", "continuation", "suspended-queue"])
    func schema(name: String) throws {
        let program = try StuckProgram(name)
        _ = try Diagnosis.of(program) { !$0.verdicts.isEmpty || $0.waits.contains { $0.object == "continuation" } }
        let (schema, document) = (directory.appending("schema.json"), directory.appending("stuck.json"))
        let command = Program.queuescope
        #expect(try command.run(["stuck", "--schema", "-o", schema]).status == 0)
        let arguments = ["stuck", "\(program.pid)", "--stacks", "--format", "json", "-o", document]
        #expect(try command.run(arguments).status == 0)
        #expect(try Program.schemaErrors(of: document, schema: schema) == "")
    }

    @Test("The page has the verdict, the waits, the queues and the stacks, and allows no program")
    func page() throws {
        let program = try StuckProgram("sync-cycle")
        _ = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
        let path = directory.appending("stuck.html")
        let result = try Program.queuescope.run(["stuck", "\(program.pid)", "--format", "html", "--stacks", "-o", path])
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let parts = ["Verdict", "2 threads wait for each other", "Still waiting", "shop.points", "Queues", "Stacks"]
        for part in parts { #expect(page.contains(part), "\(part)") }
        #expect(page.contains("default-src 'none'") && !page.contains("<script"))
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    }

    @Test("Text of a program is no markup in a page")
    func escaped() {
        let bytes = StaticPage.render(title: "<b>&\"", content: StaticPage.text("</p><i>"))
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.contains("<title>&lt;b&gt;&amp;&quot; · Queuescope</title>"))
        #expect(page.contains("&lt;/p&gt;&lt;i&gt;") && !page.contains("<i>"))
    }
}
