import DispatchModel
import Testing
import TraceBuilder

@Suite struct CodeTests {
    /// Functions from 0x1100 on are forwarders of `work`, from 0x1200 on forwarders of `other`, and from 0x1300 on
    /// thunks.
    private final class Forwarders: FunctionKinds {
        func isCopied(_ address: UInt64, in image: Image) -> Bool { false }
        func takesLock(_ address: UInt64, in image: Image) -> Bool { false }
        func forwardedClosure(_ address: UInt64, in image: Image) -> String? {
            [0x11: "work", 0x12: "other"][address / 0x100]
        }
    }

    @Test("The forwarders that the compiler made of one closure are one code, what is called first or behind a thunk")
    func forwarders() throws {
        var trace = TraceBuilder()
        trace.add(.image(.init(base: 0x1000, begin: 0x1000, end: 0x9000, buildId: "", path: "/app/App")), at: 0)
        let queue = trace.serialQueue("q")
        let codes: [(number: UInt32, address: UInt64, thunk: UInt64)] = [
            (901, 0x1100, 0), (902, 0x1110, 0), (903, 0x1200, 0), (904, 0x1120, 0x1300), (905, 0x7777, 0x1130),
            (906, 0x1400, 0), (907, 0x1410, 0),
        ]
        for (turn, code) in codes.enumerated() {
            trace.add(
                .codeSymbol(
                    .init(code: code.number, address: code.address, symbol: "", file: "", line: 0, thunk: code.thunk)),
                at: 0)
            let time = Double(turn + 1) * 100
            let item = UInt64(turn + 1)
            trace.add(
                .itemEnqueue(.init(item: item, queue: queue, code: code.number, kind: .async, qos: .default)),
                at: time, thread: 2)
            trace.add(.itemBegin(.init(item: item, queue: queue)), at: time + 10, thread: 3)
            trace.add(.itemEnd(.init(item: item)), at: time + 20, thread: 3)
        }
        func items(_ functions: (any FunctionKinds)?) -> [CodeIndex] {
            let (_, log) = ObservationLog.read(trace.events, options: ModelOptions(functions: functions))
            return log.items.map(\.code)
        }
        let known = items(Forwarders())
        try #require(known.count == 7)
        #expect(known[1] == known[0] && known[3] == known[0] && known[4] == known[0])
        #expect(Set(known).count == 4)
        #expect(Set(items(nil)).count == 7)
    }
}
