import DispatchModel
import Testing

@testable import DispatchAnalysis

@Suite("What a thread waited for")
struct ThreadHistoryTests {
    private let thread = ThreadIndex(1)

    private func time(_ time: Int64) -> Timestamp { Timestamp(nanoseconds: time) }

    private func wait(_ call: String, _ code: Int, _ begin: Int64, _ end: Int64) -> ThreadHistory.Wait {
        ThreadHistory.Wait(
            thread, in: .systemCall(call), CodeIndex(code), from: time(begin), to: time(end))
    }

    // item    ├────────────────────┤
    // waits     ░ read ░ ░ poll ░ ░░░ read ░░░░░
    @Test("Waits count for the part in a time span, and waits of one code together")
    func sums() throws {
        var history = ThreadHistory()
        for wait in [wait("read", 1, 20, 80), wait("poll", 2, 90, 150), wait("read", 1, 160, 300)] { history.add(wait) }
        #expect(history.total(of: thread, from: time(0), to: time(200)) == Nanoseconds(60 + 60 + 40))
        let longest = try #require(history.longest(of: thread, from: time(0), to: time(200)))
        #expect(longest.place.code == CodeIndex(1) && longest.length == Nanoseconds(100))
        #expect(history.longest(of: ThreadIndex(0), from: time(0), to: time(200)) == nil)
        #expect(history.longest(of: thread, from: time(300), to: time(400)) == nil)
    }

    @Test("The last wait explains an item only if it is inside the item and takes at least half of it")
    func most() {
        var history = ThreadHistory()
        history.add(wait("read", 1, 100, 150))
        #expect(history.most(of: thread, from: time(80), to: time(180))?.code == CodeIndex(1))
        #expect(history.most(of: thread, from: time(79), to: time(180)) == nil)
        #expect(history.most(of: thread, from: time(101), to: time(180)) == nil)
        history.add(wait("poll", 2, 160, 170))
        #expect(history.most(of: thread, from: time(80), to: time(180)) == nil)
    }

    @Test("The oldest of too many waits is merged into the next one, so that no time is lost")
    func limit() {
        var history = ThreadHistory()
        for number in 0..<100 { history.add(wait("read", 1, Int64(number) * 10, Int64(number) * 10 + 4)) }
        #expect(history.total(of: thread, from: time(0), to: time(1_000)) == Nanoseconds(400))
    }
}
