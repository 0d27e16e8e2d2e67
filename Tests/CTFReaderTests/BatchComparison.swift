import Dispatch
import Testing

@testable import CTFReader

extension CTFTrace {
    /// Expects that batches contain the same values as a pass record by record.
    func expectSameBatches() throws {
        func text(_ classIndex: Int, _ time: Int64, _ tid: UInt32, _ payload: EventPayload) -> String {
            let places = eventClasses[classIndex].fields.indices.map { place(of: $0, in: classIndex) } + [.absent]
            let fields = places.map {
                "\(payload.unsigned($0)) \(payload.signed($0)) \(payload.string($0)) \(payload.unsignedArray($0))"
            }
            return "\(time) \(classIndex) \(tid) \(fields)"
        }
        var expected: [String] = []
        let summary = try forEachEvent { record in
            expected.append(text(record.classIndex, record.nanoseconds, record.packetTID, record.payload))
        }
        func check(helpers: Int = 0, _ read: ((RecordBatch) -> Void) throws -> ReadSummary) rethrows {
            var found: [String] = []
            let read = try read { batch in
                for _ in 0..<helpers {
                    DispatchQueue.global().async { [pipeline = batch.pipeline] in
                        while pipeline?.readAhead() == true {}
                    }
                }
                for position in 0..<batch.count {
                    let record = batch.record(position)
                    found.append(text(record.classIndex, record.nanoseconds, record.tid, record.payload))
                }
            }
            #expect(found == expected)
            #expect(read == summary)
        }
        try check { try forEachBatch(readsAhead: false, $0) }
        try check { try forEachBatch(readsAhead: true, $0) }
        try check(helpers: 2) { try forEachBatch(readsAhead: true, $0) }
        for hasReader in [false, true] {
            let pass = EventPass(
                of: CTFTrace(path: "", plan: plan, files: files), order: .exactTime, progress: nil)
            guard pass.canReadAhead else { continue }
            try check { try RecordPipeline(pass, hasReader: hasReader).run($0) }
        }
    }
}
