/// Event records in the order of time, found but not decoded: what the reader hands over at a time.
///
/// ```
///   rows     r0 r1 r2 r3 r4 …        time, class, thread, payload in the mapped file
///   others         ╰ r2: a record that one load per field does not read, with a copy of its stream's cursor
/// ```
public final class RecordBatch: @unchecked Sendable {
    /// A record.
    @usableFromInline
    struct Row {
        @usableFromInline var nanoseconds: Int64
        @usableFromInline var payload: UnsafeRawPointer
        @usableFromInline var classIndex: Int32
        @usableFromInline var tid: UInt32
        /// Position among the others, -1 for a record that its payload alone tells.
        @usableFromInline var other: Int32

        @inline(__always)
        init(
            _ layout: UnsafePointer<RecordLayout>, at nanoseconds: Int64, payload: UnsafeRawPointer, tid: UInt32,
            other: Int32 = -1
        ) {
            self.nanoseconds = nanoseconds
            self.payload = payload
            classIndex = Int32(truncatingIfNeeded: layout.pointee.classIndex)
            self.tid = tid
            self.other = other
        }

        init(_ record: EventRecord) {
            nanoseconds = record.nanoseconds
            payload = record.payload.start
            classIndex = Int32(truncatingIfNeeded: record.classIndex)
            tid = record.packetTID
            other = -1
        }
    }

    private struct Other {
        let cursor: StreamCursor
        let stream: Int
    }

    /// Records of a full batch. All batches together exceed a processor's own caches, so that the reader does not wait
    /// for lines that another processor still has.
    static let capacity = 16_384

    /// How many records there are.
    @exclusivity(unchecked) public private(set) var count = 0
    @usableFromInline let rows: UnsafeMutablePointer<Row>
    private let capacity: Int
    @exclusivity(unchecked) private var others: [Other] = []
    /// Of the streams.
    private let cursors: UnsafeMutableBufferPointer<StreamCursor>
    @usableFromInline let decoder: RecordDecoder
    /// Where a record stands whose parts one load each reads: a field of another type than is asked for is empty.
    private let nowhere: UnsafeMutablePointer<StreamCursor>
    /// What reads the batches behind this one, while it does.
    @exclusivity(unchecked) public internal(set) var pipeline: RecordPipeline?
    /// The decoder stands at one of the others.
    @exclusivity(unchecked) @usableFromInline var isAtOther = false

    /// Creates an empty batch.
    ///
    /// - Parameters:
    ///   - capacity: records that it holds at most.
    ///   - streams: the streams of its records.
    ///   - layouts: the classes of all records of the trace.
    ///   - decoder: what decodes records that are not found ahead of their turn; nil for a decoder of its own.
    init(
        capacity: Int, of streams: [DataStream], layouts: UnsafePointer<RecordLayout>, decoder: RecordDecoder? = nil
    ) {
        self.capacity = capacity
        rows = .allocate(capacity: capacity)
        cursors = .allocate(capacity: streams.count + 1)
        cursors.initialize(repeating: StreamCursor(base: UnsafeRawPointer(layouts), layouts: layouts))
        self.decoder = decoder ?? RecordDecoder(streams, cursors)
        nowhere = cursors.baseAddress! + streams.count
        if decoder == nil { self.decoder.begin(nowhere, payloadStart: 0) }
    }

    deinit {
        rows.deallocate()
        cursors.deallocate()
    }

    var isFull: Bool { count == capacity }

    func removeAll() {
        count = 0
        others.removeAll(keepingCapacity: true)
    }

    /// What a batch tells of a record.
    public struct Record {
        /// Position of the record's class in ``CTFTrace/eventClasses``.
        public let classIndex: Int
        /// The event's time, as ``EventRecord/nanoseconds``.
        public let nanoseconds: Int64
        /// The thread, as ``EventRecord/packetTID``.
        public let tid: UInt32
        /// Its fields.
        public let payload: EventPayload

        @inlinable @inline(__always)
        init(classIndex: Int, nanoseconds: Int64, tid: UInt32, payload: EventPayload) {
            self.classIndex = classIndex
            self.nanoseconds = nanoseconds
            self.tid = tid
            self.payload = payload
        }
    }

    /// A record, valid until the next one is asked for.
    ///
    /// - Parameter position: from 0 up to ``count``.
    @inlinable @inline(__always)
    public func record(_ position: Int) -> Record {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        let row = rows + position
        if row.pointee.other >= 0 {
            stand(at: Int(row.pointee.other))
        } else if isAtOther {
            leave()
        }
        return Record(
            classIndex: Int(row.pointee.classIndex), nanoseconds: row.pointee.nanoseconds, tid: row.pointee.tid,
            payload: EventPayload(start: row.pointee.payload, decoder: decoder))
    }

    /// When a record happened.
    func time(of position: Int) -> Int64 {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        return rows[position].nanoseconds
    }

    /// Lets a record happen at another time.
    func move(_ position: Int, to time: Int64) {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        rows[position].nanoseconds = time
    }

    /// Goes to a record that one load per field does not read.
    @inline(never) @usableFromInline
    func stand(at position: Int) {
        isAtOther = true
        let other = others[position]
        let cursor = cursors.baseAddress! + other.stream
        cursor.pointee = other.cursor
        let layout = cursor.pointee.layout
        if layout.pointee.payloadSize >= 0 {
            decoder.begin(cursor, payloadStart: layout.pointee.payloadStart(after: cursor.pointee.position))
        } else {
            // The reader has measured it, too.
            _ = try? decoder.measure(cursor)
        }
    }

    /// Goes to where a record finds nothing of what another one has.
    @inline(never) @usableFromInline
    func leave() {
        isAtOther = false
        decoder.begin(nowhere, payloadStart: 0)
    }

    /// Has the record at which its decoder stands, and no other.
    func replaceAll(with record: EventRecord) {
        rows.initialize(to: Row(record))
        count = 1
    }

    /// Adds the record at a cursor, whose end has been found.
    func append(_ record: EventRecord, at cursor: StreamCursor, of stream: Int) {
        precondition(count < capacity)
        (rows + count).initialize(
            to: Row(
                cursor.layout, at: record.nanoseconds, payload: record.payload.start, tid: record.packetTID,
                other: Int32(others.count)))
        others.append(Other(cursor: cursor, stream: stream))
        count += 1
    }

    /// Adds rows where `body` puts them.
    ///
    /// - Parameter body: gets the place of the first row, and how many fit; returns how many it has put there.
    @inline(__always)
    func extend(_ body: (UnsafeMutablePointer<Row>, Int) -> Int) {
        let added = body(rows + count, capacity - count)
        precondition(added <= capacity - count)
        count += added
    }
}
