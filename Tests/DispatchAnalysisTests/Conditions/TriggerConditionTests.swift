import DispatchModel
import Testing

@testable import DispatchAnalysis

@Suite("The text of a condition")
struct TriggerConditionTests {
    @Test(
        "Every form has its subject, name and limit",
        arguments: [
            ("queue=com.example.db wait>250ms", TriggerCondition.Subject.queueWait(NamePattern("com.example.db"))),
            ("queue=a* depth>100", .queueDepth(NamePattern("a*"))), ("actor=* wait>1s", .actorWait(.any)),
            ("main blocked>250ms", .mainBlocked), ("loop blocked>50ms", .loopBlocked(.any)),
            ("loop=NIO-ELT-0-#0 blocked>50ms", .loopBlocked(NamePattern("NIO-ELT-0-#0"))), ("workers>64", .workers),
            ("pool starved>100ms", .poolStarved), ("request>2s", .request(.any)),
            ("request=\"GET /x\">1.5s", .request(NamePattern("GET /x"))), ("deadlock", .deadlock),
        ])
    func forms(text: String, subject: TriggerCondition.Subject) throws {
        let condition = try TriggerCondition(text)
        #expect(condition.subject == subject)
        #expect(condition.description == text)
        #expect(try TriggerCondition(condition.description) == condition)
    }

    @Test("Spaces are free, and a limit has a unit")
    func limits() throws {
        #expect(try TriggerCondition(" queue=db   wait > 250ms ") == TriggerCondition("queue=db wait>250ms"))
        #expect(try TriggerCondition("request>1.5s").limit == .time(.milliseconds(1500)))
        #expect(try TriggerCondition("loop blocked>2m").limit == .time(.seconds(120)))
        #expect(try TriggerCondition("workers>0").limit == .count(0))
    }

    @Test(
        "An error names the wrong part and an example",
        arguments: [
            ("queue wait>1s", "queue needs a name, as in 'queue=com.example.db wait>250ms'"),
            ("queue=db", "queue is followed by wait or depth"),
            ("queue=db blocked>1s", "queue is followed by wait or depth, not by blocked"),
            ("queue= wait>1s", "the name is empty; * is any name"),
            ("queue=\"my db wait>1s", "the name has no closing quote"),
            ("main=x blocked>1s", "main has no name, as in 'main blocked>250ms'"),
            ("main blocked", "a limit with > is missing"), ("main blocked>5", "'5' is not a time such as 250ms"),
            ("main blocked>-1s", "'-1s' is not a time"), ("main blocked>2d", "'2d' is not a time"),
            ("workers>many", "'many' is not a number"), ("workers>64ms", "'64ms' is not a number"),
            ("deadlock>1s", "deadlock has no limit"), ("latency>1s", "it begins with none of the known words"),
            ("", "it begins with none of the known words"),
        ])
    func errors(text: String, reason: String) {
        let error = #expect(throws: TriggerConditionError.self) { try TriggerCondition(text) }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("'\(text)' is no condition: \(reason)"), "\(description)")
    }

    @Test(
        "A star stands for any characters",
        arguments: [
            ("db", "db", true), ("db", "dbs", false), ("db*", "dbs", true), ("*db", "a.db", true), ("*", "", true),
            ("a*b*c", "a12b34c", true), ("a*b*c", "acb", false), ("ab*b", "ab", false), ("*x*", "axb", true),
        ])
    func patterns(pattern: String, name: String, matches: Bool) {
        #expect(NamePattern(pattern[...]).matches(name) == matches)
    }
}
