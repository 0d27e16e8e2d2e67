import CTFReader
import Testing

@testable import QueuescopeCommand

@Suite struct RecordedTraceTests {
    @Test("What was discarded is counted, with all that may have been too small")
    func countsWhatWasDiscarded() {
        var totals = PacketTotals()
        totals.events = 5
        totals.hasCounts = true
        #expect(totals.sentence == "5 events")
        totals.discarded = 2
        #expect(totals.sentence == "5 events (2 more discarded: raise --limit or --memory, or make room on the disk)")
    }
}
