/// A batch of event records in the order of their lines. One thread finds the records, another thread formats them.
///
/// ```
///   rows     r0 r1 r2 …                            format, time, first bit of the fields in the mapped file
///   texts    { cpu_id = 1 }, …                     packet contexts, records without a template
///   line     [15:04:04.622801777] (+?.?????????) … the lines
/// ```
final class LineBatch: @unchecked Sendable {
    fileprivate struct Row {
        let format: UnsafePointer<LineFormat>
        /// The time to print: a clock value, or nanoseconds from the origin of the clock.
        let time: UInt64
        let base: UnsafeRawPointer
        /// The first bit of the first structure after the event header.
        let start: Int
        /// The range of the prepared text: the packet context, or all fields when there is no template.
        let text: Range<Int>
    }

    private static let capacity = 1_024

    private let options: EventFormatter.Options
    private let rows: UnsafeMutablePointer<Row>
    @exclusivity(unchecked) private var count = 0
    private var texts = LineBuffer()
    private var writer: LineWriter
    /// The packet of the last text, and the range of its text.
    @exclusivity(unchecked) private var packet: (base: UnsafeRawPointer, text: Range<Int>)?

    init(_ options: EventFormatter.Options) {
        self.options = options
        rows = .allocate(capacity: Self.capacity)
        writer = LineWriter(options, capacity: 128 * Self.capacity)
    }

    deinit { rows.deallocate() }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == Self.capacity }

    /// Removes all records.
    ///
    /// - Parameter before: the time of the record before the first one of the batch; nil when there is none.
    func begin(after before: UInt64?) {
        count = 0
        texts.removeAll()
        packet = nil
        writer.begin(after: before)
    }

    // MARK: Finding

    /// Adds a record. The record may become invalid afterwards; the mapping of its packet must stay.
    ///
    /// - Returns: the time that the line shows; nil without a clock.
    func append(_ record: EventRecord, _ format: UnsafePointer<LineFormat>, _ packets: inout PacketTexts) -> UInt64? {
        let (base, start) = record.payload.decoder.body
        var text = textOfPacket(at: base, record.payload.decoder, &packets)
        if format.pointee.template == nil { text = textOfRecord(record.payload.decoder, behind: text) }
        let time = format.pointee.clock.map {
            options.clockCycles ? record.clockValue : UInt64(bitPattern: $0.nanosecondsFromOrigin(record.clockValue))
        }
        precondition(count < Self.capacity)
        (rows + count).initialize(to: Row(format: format, time: time ?? 0, base: base, start: start, text: text))
        count += 1
        return time
    }

    /// Writes the packet context once for all records of a packet.
    @inline(__always)
    private func textOfPacket(
        at base: UnsafeRawPointer, _ decoder: RecordDecoder, _ packets: inout PacketTexts
    ) -> Range<Int> {
        if let packet, packet.base == base { return packet.text }
        let first = texts.count
        packets.append(base, decoder.stream, to: &texts)
        packet = (base, first..<texts.count)
        return first..<texts.count
    }

    /// Writes the text of all fields of a record without a template.
    private func textOfRecord(_ decoder: RecordDecoder, behind context: Range<Int>) -> Range<Int> {
        let first = texts.count
        texts.appendCopy(of: context)
        var isFirst = context.isEmpty
        decoder.forEachStructure { (node, walker) throws(FieldWalker.Problem) in
            texts.append(isFirst ? " " : ", ")
            isFirst = false
            try FieldPrinter.print(node, &walker, to: &texts)
        }
        if isFirst { texts.append(" ") }
        return first..<texts.count
    }

    // MARK: Writing

    /// Formats the lines.
    func format() {
        texts.withBytes { texts in
            let texts = texts.baseAddress!.assumingMemoryBound(to: UInt8.self)
            writer.write(UnsafeBufferPointer(start: rows, count: count), texts)
        }
    }

    /// Calls `body` with the lines that ``format()`` wrote.
    func withLines(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows { try writer.line.withBytes(body) }
}

/// Writes the lines of a batch.
private struct LineWriter: ~Copyable {
    private let options: EventFormatter.Options
    private(set) var line: LineBuffer
    private var timeOfDay = TimeOfDay()
    /// The time of the previous record.
    private var before: UInt64?

    init(_ options: EventFormatter.Options, capacity: Int) {
        self.options = options
        line = LineBuffer(capacity: capacity)
    }

    mutating func begin(after before: UInt64?) {
        line.removeAll()
        self.before = before
    }

    /// Writes the lines of records.
    ///
    /// - Parameters:
    ///   - rows: the records.
    ///   - texts: the buffer of the prepared texts.
    mutating func write(_ rows: UnsafeBufferPointer<LineBatch.Row>, _ texts: UnsafePointer<UInt8>) {
        for row in rows { write(row, texts) }
    }

    @inline(__always)
    private mutating func write(_ row: LineBatch.Row, _ texts: UnsafePointer<UInt8>) {
        if row.format.pointee.clock != nil { writeTime(row.time) }
        line.append(padded: row.format.pointee.head.baseAddress!, count: row.format.pointee.head.count)
        if !row.text.isEmpty { line.append(padded: texts + row.text.lowerBound, count: row.text.count) }
        if let template = row.format.pointee.template {
            line.append(row.text.isEmpty ? " " : ", ")
            template._withUnsafeGuaranteedRef { $0.write(row.base, from: row.start, to: &line) }
        }
        line.append("\n")
    }

    @inline(__always)
    private mutating func writeTime(_ time: UInt64) {
        line.append("[")
        if options.clockCycles {
            line.append(time, digits: 20)
        } else {
            timeOfDay.append(Int64(bitPattern: time), to: &line)
        }
        line.append("] ")
        guard options.delta else { return }
        // babeltrace2 treats a step back by one as an unknown delta. Such steps occur with clock values, because
        // records are in the order of nanoseconds and several clock values share a nanosecond.
        let delta = before.map { time &- $0 } ?? .max
        before = time
        if delta == .max {
            line.append(options.clockCycles ? "(+????????????) " : "(+?.?????????) ")
            return
        }
        line.append("(+")
        if options.clockCycles {
            line.append(delta, digits: 12)
        } else {
            line.append(delta / 1_000_000_000)
            line.append(".")
            line.append(nineDigits: UInt32(truncatingIfNeeded: delta % 1_000_000_000))
        }
        line.append(") ")
    }
}

/// A cache of the texts of the packet contexts, one for each stream.
struct PacketTexts {
    private struct Text {
        let packet: UnsafeRawPointer
        let bytes: [UInt8]
    }

    /// The text of the last packet of each stream.
    private var texts: [ObjectIdentifier: Text] = [:]

    /// Appends the text of a stream's current packet with a leading space; nothing without a packet context.
    mutating func append(_ packet: UnsafeRawPointer, _ stream: DataStream, to line: inout LineBuffer) {
        let known = texts[ObjectIdentifier(stream)]
        if let known, known.packet == packet { return line.append(known.bytes) }
        let bytes = Self.text(of: stream)
        texts[ObjectIdentifier(stream)] = Text(packet: packet, bytes: bytes)
        line.append(bytes)
    }

    private static func text(of stream: DataStream) -> [UInt8] {
        guard let context = stream.plan?.packetContext, context.fields.contains(where: { !isInternal($0) }) else {
            return []
        }
        var text = LineBuffer()
        text.append(" ")
        stream.printPacketContext(to: &text, hiding: isInternal)
        return text.bytes
    }

    /// Whether a field of the packet context is only for the reader and not printed.
    private static func isInternal(_ field: FieldNode) -> Bool {
        field.role != .none && field.role != .tid && field.role != .processor && field.role != .eventCount
    }
}
