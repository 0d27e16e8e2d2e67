import Foundation
import TestSupport
import Testing

/// `queuescope diff` on recorded traces: its output and its exit codes.
@Suite struct DiffCommandTests {
    private let queuescope = Program.queuescope
    private static let traces = Package.root + "/traces/1.1"
    private let before = traces + "/news-service-before/trace"
    private let after = traces + "/news-service-after/trace"

    @Test("The demo's two traces: the improvements fit on one screen")
    func demo() throws {
        let result = try queuescope.run(["diff", before, after])
        #expect(result.status == 0)
        #expect(result.lines[1].hasPrefix(" Better: 6 findings gone, none new; "))
        #expect(result.lines.count { $0.hasPrefix(" gone ") } == 6)
        #expect(result.lines.contains { $0.hasPrefix(" sync hand-offs") && $0.hasSuffix("×0.00") })
        #expect(result.lines.count <= 40)
    }

    @Test("With a window the same part of each trace is compared")
    func part() throws {
        let result = try queuescope.run(["diff", before, after, "--from", "10ms", "--to", "40ms"])
        #expect(result.status == 0)
        #expect(result.lines.contains { $0.hasPrefix("WINDOW") })
        #expect(result.lines.contains { $0.hasPrefix(" recorded") && $0.contains("30.0 ms") }, "\(result.output)")
        #expect(result.lines.contains { $0.hasPrefix("QUEUES") })
    }

    @Test("A trace with new findings ends with 1")
    func worse() throws {
        let result = try queuescope.run(["diff", after, before])
        #expect(result.status == 1)
        #expect(result.lines[1].hasPrefix(" Worse: no finding gone, 6 new; "))
    }

    @Test("A trace does not differ from itself")
    func same() throws {
        for trace in [before, after] {
            let result = try queuescope.run(["diff", trace, trace])
            #expect(result.status == 0)
            #expect(result.lines[1] == " No difference that is more than noise.")
        }
    }

    @Test("The JSON comparison satisfies the schema that it prints", .enabled(if: Program.canImport("jsonschema")))
    func satisfiesItsSchema() throws {
        let directory = TemporaryDirectory()
        let (schema, outcome) = (directory.appending("schema.json"), directory.appending("diff.json"))
        #expect(try queuescope.run(["diff", "--schema", "-o", schema]).status == 0)
        #expect(
            try queuescope.run(["diff", before, after, "--again", before, "--format", "json", "-o", outcome]).status
                == 0)
        #expect(try Program.schemaErrors(of: outcome, schema: schema) == "")
    }

    @Test("One trace is not enough")
    func needsTwo() throws {
        #expect(try queuescope.run(["diff", before]).status == 64)
    }
}
