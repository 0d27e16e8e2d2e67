import CTFReader
import Testing

extension CTFTrace {
    /// Batches must tell of every record what a pass record by record tells.
    func expectSameBatches() throws {
        func text(_ record: EventRecord) -> String {
            let fields = eventClasses[record.classIndex].fields.indices.map {
                "\(record.unsigned($0)) \(record.signed($0)) \(record.string($0)) \(record.unsignedArray($0))"
            }
            return "\(record.nanoseconds) \(record.classIndex) \(record.packetTID) \(fields)"
        }
        var expected: [String] = []
        let summary = try forEachEvent { expected.append(text($0)) }
        for readsAhead in [false, true] {
            var found: [String] = []
            let read = try forEachBatch(readsAhead: readsAhead) { batch in
                for position in 0..<batch.count { found.append(text(batch.record(position))) }
            }
            #expect(found == expected)
            #expect(read == summary)
        }
    }
}
