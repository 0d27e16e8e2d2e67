/// Reads the packets of one data stream file in order.
final class DataStream {
    let file: MappedFile
    let trace: TracePlan
    /// The stream class of the current packet; nil before the first packet.
    private(set) var plan: StreamPlan?
    /// Values of the packet header and context, for lengths and tags of event records.
    let packetStores: UnsafeMutablePointer<UInt64>
    /// Offset of the current packet in bytes.
    private(set) var packetStart = 0
    /// Offset of the next packet in bytes; the size of the file when no more packets can be read.
    private(set) var nextPacket = 0

    private(set) var instanceID: UInt64?
    private(set) var packets = 0
    private(set) var losses = StreamLosses()
    private(set) var notes: [TraceNote] = []
    /// The packets that other pieces of this trace have claimed; nil without other pieces.
    private let ledger: PacketLedger?
    /// The part of the stream to read.
    private var excerpt: StreamExcerpt
    /// Whether another piece has the first packet too.
    private var beginsRepeated = false
    private var isCut = false
    private var hasNotedClock = false
    private var hasNotedUUID = false
    private var released = 0

    /// Number of bytes before the current packet whose pages are kept, because another thread still decodes their
    /// records.
    var keptBytes = 0
    /// Pages are released in steps of this many bytes.
    private static let releaseStep = 1 << 20
    /// Maximum number of damage notes of a file.
    private static let noteLimit = 100

    init(_ file: MappedFile, _ trace: TracePlan, ledger: PacketLedger?, excerpt: StreamExcerpt) {
        self.file = file
        self.trace = trace
        self.ledger = ledger
        self.excerpt = excerpt
        nextPacket = excerpt.packets.lowerBound
        // Other readers of the file use the pages before.
        released = min(excerpt.before.first?.packet ?? .max, excerpt.packets.lowerBound)
        if let last = excerpt.last { losses.pass(last) }
        packetStores = .allocate(capacity: trace.storeCount)
        packetStores.initialize(repeating: 0, count: trace.storeCount)
        guard let opening = excerpt.opening else { return }
        packetStart = opening.packet
        var head = PacketHead()
        let room = (file.count - packetStart) * 8
        guard head.read(base: file.bytes + packetStart, room: room, trace: trace, stores: packetStores) == nil
        else { return }
        countLosses(before: head, clock: head.stream?.clock, isRepeated: false)
    }

    deinit { packetStores.deallocate() }

    /// Whether other pieces of the trace are read in the same run.
    var isPiece: Bool { ledger != nil }

    /// Publishes the packet numbers of this piece to the other pieces of the trace.
    func publishPackets() {
        guard let ledger, let plan, let instanceID, let last = losses.lastSequenceNumber,
            losses.firstSequenceNumber <= last
        else { return }
        ledger.note(losses.firstSequenceNumber...last, until: losses.lastEnd, of: plan.id, instance: instanceID)
    }

    /// The packets that are missing between the previous pieces of the stream and this piece.
    var gapBefore: TraceLoss? {
        guard let ledger, let plan, let instanceID, !beginsRepeated,
            let gap = ledger.gap(before: losses.firstSequenceNumber, of: plan.id, instance: instanceID)
        else { return nil }
        return TraceLoss(
            kind: .packets, count: gap.count, file: file.path,
            beginNanoseconds: gap.begin.flatMap { plan.clock?.nanosecondsFromOrigin($0) },
            endNanoseconds: losses.begin.flatMap { plan.clock?.nanosecondsFromOrigin($0) })
    }

    private func note(_ code: CTFError.Code, at offset: Int, _ problem: String) {
        guard notes.count < Self.noteLimit else { return }
        notes.append(TraceNote(code: code, file: file.path, byteOffset: offset, problem: problem))
    }

    private func stop() {
        nextPacket = file.count
        losses.end()
    }

    // MARK: Event records

    /// Slow path: reads the header of the next record and opens the next packet when necessary.
    ///
    /// - Returns: false at the end of the stream.
    func advance(_ cursor: inout StreamCursor) -> Bool {
        while true {
            let start = BitField.align(cursor.position, plan?.eventHeader?.alignment ?? 1)
            guard let plan, start < cursor.contentEnd else {
                guard openPacket(&cursor) else { return false }
                continue
            }
            var walker = FieldWalker(base: cursor.base, end: cursor.contentEnd, position: start, stores: packetStores)
            do throws(FieldWalker.Problem) {
                if let header = plan.eventHeader { try walker.skip(header) }
            } catch {
                skipDamage(error, at: start, &cursor)
                continue
            }
            let id = walker.values.eventID ?? 0
            guard let index = plan.classIndex(of: id) else {
                note(
                    .unknownEvent, at: packetStart + (start >> 3),
                    "The event record is of the class \(id), which the metadata does not declare; "
                        + "the rest of the packet is skipped")
                cursor.position = cursor.contentEnd
                continue
            }
            if let time = walker.values.time {
                cursor.setClock(time.value, mask: BitField.mask(time.size))
            }
            cursor.headerStart = start
            cursor.position = walker.position
            cursor.layout = cursor.layouts + index
            return true
        }
    }

    /// Notes that a record cannot be decoded, and skips the rest of its packet.
    func skipDamage(_ problem: FieldWalker.Problem, at start: Int, _ cursor: inout StreamCursor) {
        let offset = packetStart + (start >> 3)
        switch problem {
        case .endOfContent:
            // A file that ends inside the packet already has a note.
            if !isCut {
                note(
                    .truncatedEvent, at: offset,
                    "The content of the packet ends inside an event record, which is skipped"
                )
            }
        case .noOption(let tag):
            note(
                .badField, at: offset,
                "A variant's tag is \(tag), which selects no option; the rest of the packet is skipped")
        case .numberTooLarge:
            note(.badField, at: offset, "An integer has more than 64 bits; the rest of the packet is skipped")
        case .tooManyElements(let count):
            let elements = "\(GroupedNumber.text(count)) elements"
            note(
                .badField, at: offset,
                "An array has \(elements), more than the limit; the rest of the packet is skipped")
        }
        cursor.position = cursor.contentEnd
    }

    /// Notes an event record without a size and skips the rest of the packet, which would hold an infinite number of
    /// such records.
    func skipEmptyRecord(_ cursor: inout StreamCursor) {
        note(
            .badField, at: packetStart + (cursor.headerStart >> 3),
            "The event record has no header and no fields, so the number of records is unknown; "
                + "the rest of the packet is skipped")
        cursor.position = cursor.contentEnd
    }

    /// Notes that the clock of this stream goes backwards. Only the first occurrence gets a note.
    func noteClock(_ cursor: borrowing StreamCursor, before: UInt64) {
        guard !hasNotedClock else { return }
        hasNotedClock = true
        note(
            .clockWentBack, at: packetStart + (cursor.headerStart >> 3),
            "The clock goes backwards from \(before) to \(cursor.clock); the records keep their order"
        )
    }

    // MARK: Packets

    /// Opens the next packet.
    ///
    /// - Returns: false when there is no packet that can be read.
    private func openPacket(_ cursor: inout StreamCursor) -> Bool {
        if let place = excerpt.takePlace(before: nextPacket) { return enter(place, &cursor) }
        packetStart = nextPacket
        releasePages()
        guard packetStart < excerpt.packets.upperBound else {
            losses.end()
            return false
        }
        let room = (file.count - packetStart) * 8
        let base = file.bytes + packetStart
        var head = PacketHead()
        switch head.read(base: base, room: room, trace: trace, stores: packetStores) {
        case nil: break
        case .unused:
            if head.hasContent || file.firstNonZero(from: min(packetStart + (head.size >> 3), file.count)) != nil {
                note(
                    .badMagic, at: packetStart,
                    "Expected a packet, found the magic number 0 followed by data; the rest of the file is skipped")
            }
            stop()
            return false
        case .damaged(let code, let sentence):
            note(code, at: packetStart, "\(sentence); the rest of the file is skipped")
            stop()
            return false
        }
        return enter(head, base: base, room: room, &cursor)
    }

    /// Moves to a single record.
    private func enter(_ place: RecordPlace, _ cursor: inout StreamCursor) -> Bool {
        let base = file.bytes + place.packet
        packetStart = place.packet
        if plan == nil || cursor.base != base {
            var head = PacketHead()
            let problem = head.read(
                base: base, room: (file.count - place.packet) * 8, trace: trace, stores: packetStores)
            // The packet was read when the place was found.
            guard problem == nil else { return false }
            take(head, base: base, &cursor)
        }
        releasePages()
        cursor.position = place.start
        cursor.contentEnd = place.end
        cursor.clock = place.clock
        return true
    }

    /// Takes over the values of a packet header.
    private func take(_ head: PacketHead, base: UnsafeRawPointer, _ cursor: inout StreamCursor) {
        plan = head.stream
        instanceID = head.values.streamInstanceID ?? instanceID
        cursor.base = base
        cursor.header = head.stream?.headerPlan
        if let plan { cursor.classTable = plan.classTable }
        cursor.tid = UInt32(truncatingIfNeeded: head.values.tid ?? 0)
        cursor.processor = head.values.processor.map { Int32(truncatingIfNeeded: $0) } ?? -1
    }

    private func enter(_ head: PacketHead, base: UnsafeRawPointer, room: Int, _ cursor: inout StreamCursor) -> Bool {
        let packetSize = head.packetSize ?? room
        isCut = packetSize > room
        nextPacket = isCut ? file.count : packetStart + (packetSize >> 3)
        var contentSize = head.contentSize ?? packetSize
        if isCut {
            note(
                .truncatedPacket, at: packetStart,
                "The packet has \(packetSize >> 3) bytes, but the file has only \(room >> 3) of them; "
                    + "complete event records are read")
            contentSize = min(contentSize, room)
        }
        packets += 1
        if head.hasOtherUUID, !hasNotedUUID {
            hasNotedUUID = true
            note(.wrongUUID, at: packetStart, "The UUID of the packet differs from the metadata's; the packet is read")
        }
        take(head, base: base, &cursor)
        let claimed = isCut ? nil : head.stream.flatMap { ledger?.claim(head.values, of: $0.id) }
        let isRepeated = claimed != nil
        if packets == 1 { beginsRepeated = isRepeated }
        countLosses(before: head, clock: plan?.clock, isRepeated: isRepeated)
        if isCut { losses.cut(head.values, clock: plan?.clock, file: file.path) }
        cursor.position = head.size
        cursor.contentEnd = contentSize
        if let begin = head.values.timestampBegin {
            // The packet starts before the last record ends: the clock goes backwards.
            if begin < cursor.clock, packets > 1 {
                cursor.headerStart = 0
                let before = cursor.clock
                cursor.clock = begin
                noteClock(cursor, before: before)
            }
            cursor.clock = begin
        }
        if let claimed {
            if claimed.size < UInt64(contentSize) {
                cursor.position = max(cursor.position, Int(claimed.size))
                cursor.clock = max(cursor.clock, claimed.end)
            } else {
                cursor.contentEnd = cursor.position
            }
        }
        return true
    }

    private func countLosses(before head: PacketHead, clock: ClockClass?, isRepeated: Bool) {
        let lost = losses.read(head.values, clock: clock, file: file.path, isRepeated: isRepeated)
        if lost > 0 {
            let packets = lost == 1 ? "A packet is" : "\(GroupedNumber.text(lost)) packets are"
            note(.lostPackets, at: packetStart, "\(packets) missing before this one")
        }
    }

    private func releasePages() {
        let end = max(released, packetStart - keptBytes)
        guard end - released >= Self.releaseStep || packetStart == file.count else { return }
        file.release(released..<end)
        released = end
    }

    /// Releases all pages up to the current packet, after the last record was decoded.
    func releaseKeptPages() {
        file.release(released..<max(released, packetStart))
        released = max(released, packetStart)
    }

    /// Writes the context of the current packet as text.
    func printPacketContext(to line: inout LineBuffer, hiding hides: (FieldNode) -> Bool) {
        withPacketContext { (context, walker) throws(FieldWalker.Problem) in
            try FieldPrinter.print(context, &walker, to: &line, hiding: hides)
        }
    }

    /// The value of a field of the current packet's context; nil when there is no such field.
    func packetContextValue(_ index: Int) -> CTFValue? {
        var value: CTFValue?
        withPacketContext { (context, walker) throws(FieldWalker.Problem) in
            if context.fields.indices.contains(index) { value = try walker.read(context, field: index) }
        }
        return value
    }

    private func withPacketContext(_ body: (FieldNode, inout FieldWalker) throws(FieldWalker.Problem) -> Void) {
        guard let context = plan?.packetContext else { return }
        var walker = FieldWalker(
            base: file.bytes + packetStart, end: (file.count - packetStart) * 8, position: 0, stores: packetStores)
        do throws(FieldWalker.Problem) {
            if let header = trace.packetHeader { try walker.skip(header) }
            try body(context, &walker)
        } catch {
            // The packet was opened before, so its context is complete.
        }
    }
}
