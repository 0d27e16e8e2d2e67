import Glibc

/// Called by libFuzzer: the input is the text of metadata, a zero byte, and the content of a data stream file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackets(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    MemoryBound.check(inputBytes: count) {
        let input = UnsafeRawBufferPointer(start: start, count: count)
        guard let end = input.firstIndex(of: 0) else { return }
        let stream = UnsafeRawBufferPointer(rebasing: input[(end + 1)...])
        guard
            let source = try? MetadataPackets.source(UnsafeRawBufferPointer(rebasing: input[..<end]), file: "metadata"),
            let description = try? MetadataResolver.describe(source), let plan = try? TracePlan(description),
            let file = mapped(stream)
        else { return }
        read(CTFTrace(path: "fuzzed", plan: plan, files: [file]))
    }
    return 0
}

/// The bytes as a file in memory.
private func mapped(_ bytes: UnsafeRawBufferPointer) -> MappedFile? {
    var path = Array("/dev/shm/queuescope-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { fatalError("cannot create a file in /dev/shm: errno \(errno)") }
    defer {
        unlink(path)
        close(descriptor)
    }
    guard bytes.isEmpty || write(descriptor, bytes.baseAddress!, bytes.count) == bytes.count else { return nil }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return try? MappedFile(path: name, name: "stream")
}

/// Asks every record for everything.
private func read(_ trace: CTFTrace) {
    let contexts = trace.eventClasses.indices.map { index in
        ["vpid", "cpu_id", "timestamp", "id", "in", "c"].compactMap { trace.contextField($0, of: index) }
    }
    var sum: UInt64 = 0
    let summary = try? trace.forEachEvent { record in
        for field in contexts[record.classIndex] { sum &+= record.value(field)?.bits ?? 0 }
        for field in trace.eventClasses[record.classIndex].fields.indices {
            sum &+= record.unsigned(field) &+ UInt64(record.string(field).utf8.count)
            sum &+= UInt64(record.unsignedArray(field).count)
            _ = record.value(field)
        }
    }
    var sums: [UInt64] = []
    for readsAhead in [false, true] {
        var sum: UInt64 = 0
        let batches = try? trace.forEachBatch(readsAhead: readsAhead) { batch in
            for position in 0..<batch.count { sum &+= numbers(of: batch.record(position), in: trace) }
        }
        precondition(batches?.events == summary?.events, "batches have another number of records")
        precondition(batches?.notes == summary?.notes, "batches found different damage")
        sums.append(sum)
    }
    var expected: UInt64 = 0
    _ = try? trace.forEachEvent { expected &+= numbers(of: $0, in: trace) }
    precondition(sums == [expected, expected], "batches have other values")
    let formatted = try? EventFormatter.write(trace) { sum &+= UInt64($0.count) }
    precondition(summary?.events == formatted?.events, "two passes found different numbers of records")
    precondition(summary?.notes == formatted?.notes, "two passes found different damage")
}

/// A sum over all that records of batches can be asked for.
private func numbers(of record: RecordBatch.Record, in trace: CTFTrace) -> UInt64 {
    trace.eventClasses[record.classIndex].fields.indices.reduce(UInt64(bitPattern: record.nanoseconds)) { sum, field in
        let place = trace.place(of: field, in: record.classIndex)
        let numbers = record.payload.unsignedArray(place).reduce(UInt64(record.tid), &+)
        let text = UInt64(record.payload.string(place).utf8.count)
        return sum &+ record.payload.unsigned(place) &+ text &+ numbers
    }
}

/// The same of a record that comes alone.
private func numbers(of record: EventRecord, in trace: CTFTrace) -> UInt64 {
    trace.eventClasses[record.classIndex].fields.indices.reduce(UInt64(bitPattern: record.nanoseconds)) { sum, field in
        let numbers = record.unsignedArray(field).reduce(UInt64(record.packetTID), &+)
        return sum &+ record.unsigned(field) &+ UInt64(record.string(field).utf8.count) &+ numbers
    }
}
