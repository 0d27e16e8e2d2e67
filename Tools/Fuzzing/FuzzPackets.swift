import Glibc

/// Called by libFuzzer. The input is the text of metadata, a zero byte, and the content of a data stream file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackets(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    MemoryBound.check(inputBytes: count) {
        let input = UnsafeRawBufferPointer(start: start, count: count)
        guard let end = input.firstIndex(of: 0) else { return }
        let stream = UnsafeRawBufferPointer(rebasing: input[(end + 1)...])
        guard
            let source = try? MetadataPackets.source(UnsafeRawBufferPointer(rebasing: input[..<end]), file: "metadata"),
            let description = try? TraceDescription.read(source), let plan = try? TracePlan(description)
        else { return }
        withFile(of: stream) { file in
            let trace = CTFTrace(path: "fuzzed", plan: plan, files: [file])
            read(trace)
            readWindow(of: trace)
            passOver(file, of: trace)
        }
    }
    return 0
}

/// Creates a temporary file in memory with these bytes, and passes it to `body`.
private func withFile(of bytes: UnsafeRawBufferPointer, _ body: (MappedFile) -> Void) {
    var path = Array("/dev/shm/queuescope-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { fatalError("cannot create a file in /dev/shm: errno \(errno)") }
    defer {
        unlink(path)
        close(descriptor)
    }
    guard bytes.isEmpty || write(descriptor, bytes.baseAddress!, bytes.count) == bytes.count else { return }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let file = try? MappedFile(path: name, name: "stream") { body(file) }
}

/// A different window role for each event class.
private func role(_ index: Int) -> WindowRole {
    let role = RecordRole(rawValue: UInt8(index % 7))!
    return WindowRole(role, item: index % 3 - 1, submits: index % 2 == 0, describesItem: index % 5 == 0)
}

/// Reads the middle third of the time in batches and record by record, and compares the two.
private func readWindow(of trace: CTFTrace) {
    guard let whole = TraceMerge.extent(of: [trace]) else { return }
    let third = (whole.upperBound &- whole.lowerBound) / 3
    guard third >= 0 else { return }
    let window = TraceWindow(begin: whole.lowerBound &+ third, end: whole.upperBound &- third, of: whole)
    var sums: [UInt64] = [0, 0]
    let batches = try? trace.forEachBatch(
        in: window, role: role, windowBegins: { sums[0] = sums[0] &* 3 }
    ) { batch, range in
        for position in range { sums[0] &+= numbers(of: batch.record(position), in: trace) }
    }
    let single = try? TraceMerge.forEachEvent(
        in: window, of: [trace], role: { role($1) }, windowBegins: { sums[1] = sums[1] &* 3 }
    ) { sums[1] &+= numbers(of: $1, in: trace) }
    // Record by record, the time of a damaged record counts too.
    guard let batches, batches.notes.isEmpty else { return }
    precondition(batches == single?[0], "batches of a window have other numbers")
    precondition(sums[0] == sums[1], "batches of a window have other values")
}

/// Skips over the packets in a row and in parallel, and compares the two.
private func passOver(_ file: MappedFile, of trace: CTFTrace) {
    let index = file.packets(of: trace.plan)
    let packets = index.packets.map { index.range(of: $0.offset, in: file) }
    // The clock of a packet without a begin time continues from the packet before.
    guard let last = packets.last, index.packets.allSatisfy({ $0.begin != nil }) else { return }
    for isOfOneThread in [false, true] {
        let roles = trace.eventClasses.indices.map { role($0).role }
        let scan = PacketScan(file, trace.plan, roles: roles, isOfOneThread: isOfOneThread)
        let inARow = scan.run(0..<last.upperBound)
        var found = PacketScan.Found()
        for part in scan.run(packets) { found.append(part) }
        precondition("\(found.places)" == "\(inARow.places)", "packets side by side have other records")
        precondition(found.lastClock == inARow.lastClock, "packets side by side have another end")
    }
}

/// Reads every field of every record.
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
    let formatted = try? EventFormatter.write([trace]) { sum &+= UInt64($0.count) }[0]
    precondition(summary?.events == formatted?.events, "two passes found different numbers of records")
    precondition(summary?.notes == formatted?.notes, "two passes found different damage")
}

/// A sum over all values of a record in a batch.
private func numbers(of record: RecordBatch.Record, in trace: CTFTrace) -> UInt64 {
    trace.eventClasses[record.classIndex].fields.indices.reduce(UInt64(bitPattern: record.nanoseconds)) { sum, field in
        let place = trace.place(of: field, in: record.classIndex)
        let numbers = record.payload.unsignedArray(place).reduce(UInt64(record.tid), &+)
        let text = UInt64(record.payload.string(place).utf8.count)
        return sum &+ record.payload.unsigned(place) &+ text &+ numbers
    }
}

/// The same sum for a single record.
private func numbers(of record: EventRecord, in trace: CTFTrace) -> UInt64 {
    trace.eventClasses[record.classIndex].fields.indices.reduce(UInt64(bitPattern: record.nanoseconds)) { sum, field in
        let numbers = record.unsignedArray(field).reduce(UInt64(record.packetTID), &+)
        return sum &+ record.unsigned(field) &+ UInt64(record.string(field).utf8.count) &+ numbers
    }
}
