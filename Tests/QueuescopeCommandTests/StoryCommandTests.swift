import Foundation
import TestSupport
import Testing

/// `queuescope report` with `--item` and `--signpost`, on a recorded trace.
@Suite struct StoryCommandTests {
    private let queuescope = Program.queuescope
    private let trace = Package.root + "/traces/1.1/news-service-before/trace"

    @Test("The slowest item is reported with its number, and the number selects the same item")
    func slowestItem() throws {
        let slowest = try queuescope.run(["report", trace, "--item", "slowest"])
        #expect(slowest.status == 0)
        let title = try #require(slowest.lines.first { $0.hasPrefix("ITEM ") })
        let number = try #require(title.split(separator: " ").dropFirst().first.map(String.init))
        #expect(try queuescope.run(["report", trace, "--item", number]).output == slowest.output)
        #expect(slowest.lines.contains { $0.hasPrefix("CRITICAL PATH ") })
    }

    @Test("The thread and the time of a finding's evidence select the item")
    func itemOfAProof() throws {
        let report = try queuescope.run(["report", trace]).output
        let proof = try #require(report.firstMatch(of: /proof +([0-9.]+) s  worker ([0-9]+) +sync_handoff/))
        let story = try queuescope.run(["report", trace, "--item", "\(proof.2)@\(proof.1)"])
        #expect(story.status == 0)
        #expect(
            story.lines.contains {
                $0.hasPrefix(" ran ") && $0.contains("on worker \(proof.2) from \(proof.1.dropLast(3)) s")
            })
    }

    @Test("Each hand-off of a proof finds its own item, also if the thread ran several within a microsecond")
    func itemsOfAllProofs() throws {
        let report = try queuescope.run(["report", trace, "--all"]).output
        let proofs = report.matches(of: /([0-9]+\.[0-9]{9}) s  worker ([0-9]+) +sync_handoff/).prefix(20)
        #expect(proofs.count > 3)
        for proof in proofs {
            let story = try queuescope.run(
                ["report", trace, "--format", "json", "--item", "\(proof.output.2)@\(proof.output.1)"])
            let text = try #require(
                try JSONSerialization.jsonObject(with: Data(story.output.utf8)) as? [String: Any])
            let item = try #require((text["items"] as? [[String: Any]])?.first)
            let time = proof.output.1.filter { $0 != "." }.drop { $0 == "0" }
            #expect((item["began_ns"] as? Int).map(String.init) == String(time), "\(item)")
        }
    }

    @Test(
        "The parts of critical paths in JSON reports sum to their intervals",
        arguments: [["--item", "slowest"], ["--signpost", "search"], []])
    func json(arguments: [String]) throws {
        let result = try queuescope.run(["report", trace, "--format", "json"] + arguments)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let path = try #require((report["critical_paths"] as? [[String: Any]])?.first)
        let totals = try #require(path["totals"] as? [[String: Any]]).reduce(0) { $0 + ($1["time_ns"] as? Int ?? 0) }
        let begin = try #require(path["begin_ns"] as? Int)
        let end = try #require(path["end_ns"] as? Int)
        #expect(totals == end - begin)
    }

    @Test("An error about a missing item or interval lists the existing ones")
    func missing() throws {
        let item = try queuescope.run(["report", trace, "--item", "999999999"])
        #expect(item.status == 64)
        #expect(item.errors.contains("has no item '999999999' that ran"))
        let signpost = try queuescope.run(["report", trace, "--signpost", "nonsense"])
        #expect(signpost.status == 64)
        #expect(signpost.errors.contains("has no finished signpost interval 'nonsense': it has search."))
        for option in ["--item", "--signpost", "--task", "--request"] {
            #expect(try queuescope.run(["report", trace, option, ""]).status == 64, "\(option)")
        }
    }
}
