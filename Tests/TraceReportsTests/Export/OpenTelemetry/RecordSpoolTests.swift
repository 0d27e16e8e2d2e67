import Testing

@testable import TraceExports

@Suite struct RecordSpoolTests {
    @Test("Records are read in their order, twice, from memory and from a file", arguments: [10, 200_000])
    func order(count: Int) throws {
        var spool = RecordSpool<Int64>()
        for number in 0..<count { spool.append(Int64(number), text: number % 3 == 0 ? "text \(number)" : "") }
        for _ in 0..<2 {
            var (next, wrong) = (0, 0)
            try spool.read { record, text in
                if record != Int64(next) || text != (next % 3 == 0 ? "text \(next)" : "") { wrong += 1 }
                next += 1
            }
            #expect(next == count)
            #expect(wrong == 0)
        }
    }

    @Test("A text may be longer than a piece of the file")
    func longText() throws {
        var spool = RecordSpool<UInt8>()
        let long = String(repeating: "é", count: 2 << 20)
        spool.append(1, text: long)
        spool.append(2)
        var found: [UInt8] = []
        try spool.read { record, text in
            found.append(record)
            #expect(text == (record == 1 ? long : ""))
        }
        #expect(found == [1, 2])
    }
}
