import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct SignpostTests {
        @Test("a signpost's closure runs once, and its result or error is passed on", arguments: Mode.allCases)
        func closure(mode: Mode) throws {
            enum Failure: Error { case expected }
            try mode.run {
                let signposter = Signposter(subsystem: "test", category: "closure")
                #expect(signposter.isEnabled == (mode == .on))
                #expect(signposter.withIntervalSignpost("work") { 42 } == 42)
                #expect(throws: Failure.expected) {
                    try signposter.withIntervalSignpost("work") { throw Failure.expected }
                }
            }
        }

        @Test("a message is not evaluated while no session records")
        func message() {
            func made() -> String {
                Issue.record("the message was made")
                return ""
            }
            let signposter = Signposter(subsystem: "test", category: "message")
            signposter.emitEvent("event", made())
            signposter.endInterval("interval", signposter.beginInterval("interval", made()), made())
            #expect(!Signposter.disabled.isEnabled)
        }

        @Test("intervals and events are recorded with name, id and message")
        func recorded() throws {
            let events = try RecordedEvents {
                let signposter = Signposter(subsystem: "test.subsystem", category: "recorded")
                let first = signposter.beginInterval("interval", id: signposter.makeSignpostID(), "first")
                let second = signposter.beginInterval("interval", "second")
                signposter.emitEvent("event", id: first.id, "between")
                signposter.endInterval("interval", first, "done")
                signposter.endInterval("interval", second)
            }
            let log = try #require(events.named("signpost_log").first { $0["category"] == "recorded" })
            #expect(log["subsystem"] == "test.subsystem")
            let marks = events.named("signpost_begin", "signpost_end", "signpost_event")
            #expect(marks.allSatisfy { $0["log"] == log["log"] })
            #expect(marks.map { $0["message"] } == ["first", "second", "between", "done", ""])
            let ids = marks.map { $0["signpost"] }
            #expect(ids[0] != ids[1] && ids[0] == ids[2] && ids[0] == ids[3] && ids[1] == ids[4])
            let names = marks.map { mark in
                events.named("code_symbol").first { $0["code"] == mark["code"] }?["symbol"]
            }
            #expect(names == ["interval", "interval", "event", "interval", "interval"])
        }
    }
}
