/// A batch of event records in order of time. The records are found and not decoded.
///
/// ```
///   rows     r0 r1 r2 r3 r4 …        time, class, thread, payload in the mapped file
///   others         ╰ r2: a record that needs more than one load per field, with a copy of its stream's cursor
/// ```
public final class RecordBatch: @unchecked Sendable {
    /// A record.
    @usableFromInline
    struct Row {
        @usableFromInline var nanoseconds: Int64
        @usableFromInline var payload: UnsafeRawPointer
        @usableFromInline var classIndex: Int32
        @usableFromInline var tid: UInt32
        /// Index in `others`; -1 for a record that needs only its payload.
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

    /// Number of records in a full batch. All batches together are larger than the private caches of a processor, so
    /// the reader rarely writes to cache lines that another processor still uses.
    static let capacity = 16_384

    /// Number of records.
    @exclusivity(unchecked) public private(set) var count = 0
    @usableFromInline let rows: UnsafeMutablePointer<Row>
    private let capacity: Int
    @exclusivity(unchecked) private var others: [Other] = []
    /// One cursor for each stream, and one more for `nowhere`.
    private let cursors: UnsafeMutableBufferPointer<StreamCursor>
    @usableFromInline let decoder: RecordDecoder
    /// The decoder's position for records that one load per field can read. Fields of other types are empty there.
    private let nowhere: UnsafeMutablePointer<StreamCursor>
    /// The pipeline that reads the following batches, while it runs.
    @exclusivity(unchecked) public internal(set) var pipeline: RecordPipeline?
    /// Whether the decoder is positioned at a record of `others`.
    @exclusivity(unchecked) @usableFromInline var isAtOther = false

    /// Creates an empty batch.
    ///
    /// - Parameters:
    ///   - capacity: maximum number of records.
    ///   - streams: the streams of the records.
    ///   - layouts: the layouts of the trace's event classes.
    ///   - decoder: the decoder of records that are not read ahead; nil to create one.
    init(capacity: Int, of streams: [DataStream], layouts: UnsafePointer<RecordLayout>, decoder: RecordDecoder? = nil) {
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

    /// A record of a batch.
    public struct Record {
        /// Position of the record's class in ``CTFTrace/eventClasses``.
        public let classIndex: Int
        /// The time of the event, as ``EventRecord/nanoseconds``.
        public let nanoseconds: Int64
        /// The thread, as ``EventRecord/packetTID``.
        public let tid: UInt32
        /// The fields of the record.
        public let payload: EventPayload

        @inlinable @inline(__always)
        init(classIndex: Int, nanoseconds: Int64, tid: UInt32, payload: EventPayload) {
            self.classIndex = classIndex
            self.nanoseconds = nanoseconds
            self.tid = tid
            self.payload = payload
        }
    }

    /// Returns a record, valid until the next call.
    ///
    /// - Parameter position: an index from 0 up to ``count``.
    @inlinable @inline(__always)
    public func record(_ position: Int) -> Record {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        let row = rows + position
        if row.pointee.other >= 0 {
            seek(toOther: Int(row.pointee.other))
        } else if isAtOther {
            leaveOther()
        }
        return Record(
            classIndex: Int(row.pointee.classIndex), nanoseconds: row.pointee.nanoseconds, tid: row.pointee.tid,
            payload: EventPayload(start: row.pointee.payload, decoder: decoder))
    }

    /// The time of a record.
    func time(of position: Int) -> Int64 {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        return rows[position].nanoseconds
    }

    /// Changes the time of a record.
    func move(_ position: Int, to time: Int64) {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        rows[position].nanoseconds = time
    }

    /// Moves the decoder to a record that needs more than one load per field.
    @inline(never) @usableFromInline
    func seek(toOther position: Int) {
        isAtOther = true
        let other = others[position]
        let cursor = cursors.baseAddress! + other.stream
        cursor.pointee = other.cursor
        let layout = cursor.pointee.layout
        if layout.pointee.payloadSize >= 0 {
            decoder.begin(cursor, payloadStart: layout.pointee.payloadStart(after: cursor.pointee.position))
        } else {
            // The reader has measured the record before.
            _ = try? decoder.measure(cursor)
        }
    }

    /// Moves the decoder to a position without fields.
    @inline(never) @usableFromInline
    func leaveOther() {
        isAtOther = false
        decoder.begin(nowhere, payloadStart: 0)
    }

    /// Replaces the content with the decoder's current record.
    func replaceAll(with record: EventRecord) {
        rows.initialize(to: Row(record))
        count = 1
    }

    /// Appends the record at a cursor, after its end was found.
    func append(_ record: EventRecord, at cursor: StreamCursor, of stream: Int) {
        precondition(count < capacity)
        (rows + count).initialize(
            to: Row(
                cursor.layout, at: record.nanoseconds, payload: record.payload.start, tid: record.packetTID,
                other: Int32(others.count)))
        others.append(Other(cursor: cursor, stream: stream))
        count += 1
    }

    /// Appends rows that `body` writes.
    ///
    /// - Parameter body: receives the address of the first free row and the number of free rows; returns the number of
    ///   rows written.
    @inline(__always)
    func extend(_ body: (UnsafeMutablePointer<Row>, Int) -> Int) {
        let added = body(rows + count, capacity - count)
        precondition(added <= capacity - count)
        count += added
    }
}
