import CTFReader
import Testing

@testable import QueuescopeCommand

@Suite struct RecordedTraceTests {
    @Test("Discarded events are counted, with the sizes to increase")
    func countsWhatWasDiscarded() {
        var totals = PacketTotals()
        totals.events = 5
        totals.hasCounts = true
        #expect(RecordedTrace("trace", name: "app", totals).amount == "5 events")
        totals.discarded = 2
        let amount = RecordedTrace("trace", name: "app", totals).amount
        #expect(amount.hasPrefix("5 events (2 more discarded: ") && amount.contains("--subbuf-size"))
    }

    @Test(
        "Directories next to the trace have its name, however the user writes it",
        arguments: [("a b/", "a b"), ("a//", "a"), ("a", "a"), (".", "/w/a"), ("../", "/w/a"), ("/", "/w/a")])
    func names(directory: String, name: String) {
        #expect(Recording.name(of: directory, "/w/a") == name)
    }
}
