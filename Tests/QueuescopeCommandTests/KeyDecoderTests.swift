import DispatchModel
import Testing
import TraceReports

@testable import QueuescopeCommand

@Suite("Keys of a terminal")
struct KeyDecoderTests {
    private static let sequences: [(bytes: String, keys: [LiveKey])] = [
        ("q", [.character("q")]), ("\r", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[4~", [.pageUp, .pageDown, .home, .end]),
        ("\u{1B}[1;5A", [.up]), ("é漢", [.character("é"), .character("漢")]),
        // Unknown sequences are no keys, and do not swallow the next key.
        ("\u{1B}[15~j", [.character("j")]), ("\u{1B}[?1;2cj", [.character("j")]), ("\u{03}j", [.character("j")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}q", [.escape, .character("q")]),
    ]

    @Test("have the same meaning in one piece and byte by byte", arguments: sequences)
    func keys(bytes: String, keys: [LiveKey]) {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: bytes.utf8) == keys)
        #expect(!decoder.isPending)
        #expect(bytes.utf8.flatMap { decoder.keys(in: [$0]) } == keys)
    }

    @Test("a single escape byte is the key escape once nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: [0x1B]).isEmpty && decoder.isPending)
        #expect(decoder.flush() == [.escape] && !decoder.isPending)
        #expect(decoder.keys(in: [0x1B, 0x5B]).isEmpty && decoder.isPending)
        #expect(decoder.flush().isEmpty && !decoder.isPending)
    }

    @Test("invalid and endless input is ignored")
    func invalid() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: [0xFF, 0xC3, 0x28, UInt8(ascii: "q")]).last == .character("q"))
        var keys: [LiveKey] = []
        for _ in 0..<10_000 { keys += decoder.keys(in: Array("\u{1B}[11111111".utf8)) }
        _ = decoder.flush()
        #expect(decoder.keys(in: Array("q".utf8)) == [.character("q")])
    }
}

@Suite("The screen")
struct ScreenTests {
    @Test("writes only the lines that changed, and everything after a change of the size")
    func changes() {
        let first = ["a", "b", "c"]
        #expect(Screen.changes(from: first, to: first).isEmpty)
        let one = Screen.changes(from: first, to: ["a", "B", "c"])
        #expect(one.contains("\u{1B}[2;1H") && one.contains("B") && !one.contains("\u{1B}[1;1H"))
        let all = Screen.changes(from: [], to: first)
        #expect(all.hasPrefix("\u{1B}[2J") && all.contains("\u{1B}[3;1H"))
    }
}

@Suite("The pace of a live view")
struct LivePaceTests {
    /// The pause after a reading, in milliseconds.
    private func pause(_ pace: inout LivePace, duration: Int64, processorTime: Int64) -> Int64 {
        pace.pause(after: .init(duration: .milliseconds(duration), processorTime: .milliseconds(processorTime))).count
            / 1_000_000
    }

    @Test("keeps the interval, and rests for three times the cost of long readings")
    func rest() {
        var pace = LivePace(interval: .milliseconds(500))
        #expect(pause(&pace, duration: 20, processorTime: 20) == 480)
        #expect(pause(&pace, duration: 400, processorTime: 400) == 800)
        for _ in 0..<3 { #expect(pause(&pace, duration: 400, processorTime: 400) == 1200) }
        #expect(pause(&pace, duration: 300, processorTime: 300) == 900)
    }

    @Test("a reading on two processors counts with the time of both")
    func parallel() {
        var pace = LivePace(interval: .milliseconds(500))
        #expect(pause(&pace, duration: 200, processorTime: 400) == 1000)
        for _ in 0..<3 { #expect(pause(&pace, duration: 200, processorTime: 400) == 1400) }
    }

    @Test("a single expensive reading, such as the first one, does not delay the next one")
    func outlier() {
        var pace = LivePace(interval: .milliseconds(50))
        #expect(pause(&pace, duration: 90, processorTime: 90) == 0)
        for _ in 0..<20 { #expect(pause(&pace, duration: 2, processorTime: 2) == 48) }
        #expect(pause(&pace, duration: 100, processorTime: 100) == 0)
        #expect(pause(&pace, duration: 100, processorTime: 100) == 200)
    }

    @Test("a reading that waited for a processor has only the cost of its processor time")
    func waiting() {
        var pace = LivePace(interval: .milliseconds(50))
        for _ in 0..<20 { #expect(pause(&pace, duration: 40, processorTime: 5) == 10) }
    }
}
