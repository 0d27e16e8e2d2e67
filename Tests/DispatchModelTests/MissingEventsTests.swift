import CTFReader
import Testing

@testable import DispatchModel

@Suite("When events are missing") struct MissingEventsTests {
    private func loss(
        _ count: UInt64, _ begin: Int64?, _ end: Int64?, atEnd: Bool = false, _ kind: TraceLoss.Kind = .events
    )
        -> TraceLoss
    {
        TraceLoss(kind: kind, count: count, file: "s", beginNanoseconds: begin, endNanoseconds: end, isAtEnd: atEnd)
    }

    private func gap(_ count: Int, _ begin: Int64?, _ end: Int64?, _ kind: MissingEvents.Kind = .events)
        -> MissingEvents
    {
        MissingEvents(
            kind, count: count, begin: begin.map { Timestamp(nanoseconds: $0) },
            end: end.map { Timestamp(nanoseconds: $0) })
    }

    /// ```
    ///   stream a   ├─3─┤     ├──2──┤
    ///   stream b     ├─4──┤            ├1…
    ///   gaps       ├───7──┤  ├──2──┤   ├1…
    /// ```
    @Test("Losses of several streams that overlap are one gap, in the time of the process")
    func overlap() {
        let losses = [loss(3, 100, 110), loss(2, 130, 140), loss(4, 105, 120), loss(1, 150, 160, atEnd: true)]
        let gaps = MissingEvents.gaps(losses, discarded: 10, since: 100)
        #expect(gaps == [gap(7, 0, 20), gap(2, 30, 40), gap(1, 50, nil)])
    }

    @Test("What no stream tells the time of is a gap of its own, and packets are told apart from events")
    func untimed() {
        let gaps = MissingEvents.gaps([loss(2, 10, 20), loss(5, 12, 18, .packets)], discarded: 9, since: 0)
        #expect(gaps == [gap(7, nil, nil), gap(2, 10, 20), gap(5, 12, 18, .packets)])
        #expect(!gaps[0].isTimed && gaps[1].isTimed)
    }

    @Test("What was lost before a process began is no gap of it")
    func before() {
        #expect(MissingEvents.gaps([loss(2, 10, 20)], discarded: 2, since: 21).isEmpty)
        #expect(MissingEvents.gaps([], discarded: 0, since: 0).isEmpty)
    }

    @Test("A gap touches what it overlaps, its bounds included; without a bound it has no end")
    func touching() {
        func touches(_ gap: MissingEvents, _ begin: Int64, _ end: Int64) -> Bool {
            gap.touches(Timestamp(nanoseconds: begin), Timestamp(nanoseconds: end))
        }
        #expect(touches(gap(1, 10, 20), 0, 10) && touches(gap(1, 10, 20), 20, 30) && touches(gap(1, 10, 20), 12, 13))
        #expect(!touches(gap(1, 10, 20), 0, 9) && !touches(gap(1, 10, 20), 21, 30))
        #expect(
            touches(gap(1, 10, nil), 1_000, 1_000) && touches(gap(1, nil, 20), 0, 0) && touches(gap(1, nil, nil), 5, 5))
        #expect(!touches(gap(1, 10, nil), 0, 9) && !touches(gap(1, nil, 20), 21, 21))
    }

    @Test("A gap reaches the end where a stream's last packet tells of discarded events, not where its file is cut")
    func reachingEnd() {
        func reach(_ losses: TraceLoss...) -> [Bool] {
            MissingEvents.gaps(losses, discarded: 0, since: 0).map(\.reachesEnd)
        }
        #expect(reach(loss(2, 10, 20)) == [false])
        #expect(reach(loss(2, 10, nil, atEnd: true)) == [true])
        #expect(reach(loss(1, 10, nil, atEnd: true, .packets)) == [false])
        // A stream with one packet does not contain the begin of its losses.
        #expect(reach(loss(2, nil, 20, atEnd: true), loss(3, 10, 15)) == [true])
        #expect(MissingEvents(.events, count: 1).reachesEnd == false)
    }

    @Test("What the definitions tell is of streams that are not there, at a time that nobody knows")
    func toldByDefinitions() {
        let told = TraceLoss(
            kind: .events, count: 8, file: "trace/definitions", beginNanoseconds: 93, endNanoseconds: 94, isAtEnd: false
        )
        #expect(
            MissingEvents.gaps([told, loss(2, 10, 20)], discarded: 10, since: 0) == [gap(8, nil, nil), gap(2, 10, 20)])
    }
}
