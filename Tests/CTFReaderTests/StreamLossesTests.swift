import Testing

@testable import CTFReader

@Suite("What packets say of events that are not there")
struct StreamLossesTests {
    private static let clock = ClockClass(name: "c", frequency: 1_000_000_000)

    /// Returns the losses of a stream of consecutive packets of 10 ns.
    ///
    /// - Parameters:
    ///   - counts: the number of discarded records at the end of each packet.
    ///   - bits: the size of the counter.
    ///   - first: the sequence number of the first packet.
    /// - Returns: the losses.
    private func losses(_ counts: [UInt64], bits: Int = 64, first: UInt64 = 0) -> StreamLosses {
        var losses = StreamLosses()
        for (index, count) in counts.enumerated() {
            var values = RoleValues()
            values.set(.sequenceNumber, first + UInt64(index), size: 64)
            values.set(.timestampBegin, UInt64(index) * 10, size: 64)
            values.set(.timestampEnd, UInt64(index) * 10 + 10, size: 64)
            values.set(.discarded, count, size: bits)
            #expect(losses.read(values, clock: Self.clock, file: "s", isRepeated: false) == 0)
        }
        losses.end()
        return losses
    }

    private func texts(_ losses: some Sequence<TraceLoss>) -> [String] {
        losses.map { "\($0.count) \($0.beginNanoseconds ?? -1)...\($0.isAtEnd ? "" : "\($0.endNanoseconds ?? -1)")" }
    }

    @Test("records are missing between the ends of two packets, and after the last packet when it tells of some")
    func times() {
        #expect(texts(losses([0, 3, 3, 7, 7]).all) == ["3 10...20", "4 30...40"])
        #expect(texts(losses([0, 3, 5]).all) == ["3 10...20", "2 20..."])
    }

    @Test("a counter of 32 bits goes on at 0")
    func wrap() {
        let losses = losses([0xFFFF_FFF0, 4, 5], bits: 32)
        #expect(losses.discarded == 0x1_0000_0005)
        #expect(texts(losses.all).dropFirst() == ["20 10...20", "1 20..."])
    }

    @Test("a counter that goes back is no loss", arguments: [32, 64])
    func backwards(bits: Int) {
        let losses = losses([9, 5, 6], bits: bits)
        #expect(losses.discarded == 10)
        #expect(texts(losses.all) == ["9 -1...10", "1 20..."])
    }

    @Test("what was lost before a file that goes on with a stream is not its own")
    func earlier() {
        let losses = losses([40, 40, 43, 43], first: 7)
        #expect(losses.firstSequenceNumber == 7)
        #expect(texts(losses.all) == ["40 -1...10", "3 20...30"])
        #expect(texts(losses.own) == ["3 20...30"])
    }

    @Test("of very many losses the last ones are told as one, and none is left out")
    func many() {
        let losses = losses((0...250).map { UInt64($0) })
        #expect(losses.all.count == 100)
        #expect(losses.all.reduce(0) { $0 + $1.count } == 250)
        #expect(texts(losses.all.suffix(1)) == ["151 1000..."])
    }

    @Test("the files of one stream tell of a loss once")
    func files() throws {
        func packet(_ sequence: UInt64, discarded: UInt64) -> [UInt8] {
            PacketBuilder.build {
                $0.sequence = sequence; $0.discarded = discarded
                $0.begin = sequence * 10; $0.end = sequence * 10 + 10
            }
        }
        let (_, summary) = try CTFTraceFixture(files: [
            ("s_0", packet(0, discarded: 0) + packet(1, discarded: 4) + packet(2, discarded: 4)),
            ("s_1", packet(3, discarded: 4) + packet(4, discarded: 6) + packet(5, discarded: 6)),
        ]).read()
        #expect(summary.discarded == 6)
        #expect(summary.losses.map(\.count) == [4, 2])
    }

    @Test("a loss is a sentence with the file, the number and the times that are known")
    func sentences() {
        let day = "00:00:01.000000005"
        func loss(_ kind: TraceLoss.Kind, _ count: UInt64, _ begin: Int64?, _ end: Int64?) -> String {
            "\(TraceLoss(kind: kind, count: count, file: "f", beginNanoseconds: begin, endNanoseconds: end))"
        }
        #expect(loss(.events, 2, nil, nil) == "f: 2 event records were discarded")
        #expect(loss(.packets, 1, nil, nil) == "f: 1 packet is missing")
        // The hour depends on the time zone.
        let sentence = loss(.events, 1, 1_000_000_005, 2_000_000_000)
        #expect(sentence.hasPrefix("f: 1 event record was discarded between ") && sentence.contains(day.dropFirst(2)))
    }

    @Test("of a packet that the file does not hold whole a part is missing, from its begin on")
    func cut() {
        var values = RoleValues()
        values.set(.timestampBegin, 10, size: 64)
        values.set(.timestampEnd, 20, size: 64)
        var losses = StreamLosses()
        _ = losses.read(values, clock: Self.clock, file: "s", isRepeated: false)
        losses.cut(values, clock: Self.clock, file: "s")
        losses.end()
        #expect(texts(losses.all) == ["1 10..."])
        #expect(losses.all.first?.description.contains("ends inside a packet") == true)
    }
}
