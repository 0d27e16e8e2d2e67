import DispatchModel

/// The binary data of the page, version 3.
///
/// Integers called *varint* are unsigned LEB128. A *signed* integer is the varint of its position in 0, -1, 1, -2 …,
/// counted from 0. Times are nanoseconds since the first event record of the trace. An *item* is a varint: 0 for none,
/// 1 for an item that is omitted from the timeline, otherwise 2 + its row.
///
/// ```
/// file      = "QSTL" version:u32 section*
/// section   = tag:4 bytes, length:u32, content
/// "META"    = UTF-8 JSON: queues, threads, codes, locks, sources, findings … (TimelineDocument)
/// "SHAP"    = count, then per shape: kind, qos, flags (1 barrier, 2 unfinished), code, source + 1
/// "ITEM"    = count, groups, then per group: queue, count;   the rows are ordered by queue, then begin
///             then these columns, each preceded by its length in bytes, one number per row, as *numbers*:
///               begin     minus the begin of the previous row in the group (absolute in the first)
///               service
///               wait
///               shape
///               thread
///               enqueuer  thread + 1; 0 is unknown
///             numbers = a byte. 0: runs follow until all rows have a number: the number and its repetitions, both
///             varints. 1 to 4: this many bytes per number follow, and after all of them a varint for each number with
///             all bits set, in order, which replaces it
/// "RELA"    = these columns of the same rows, each preceded by its length in bytes:
///               parts     only for rows with wait > 0: a byte with bit p set for each part p that is not zero,
///                         then all of these parts but the last as varint; the last is the rest of the wait
///               handoffs  count, then per hand-off: row minus the previous row, thread
///               parent    the item that submitted it: 0 none, 1 omitted, otherwise 2 + signed (row - the row that
///                         the column referred to previously, at first 0)
/// "LOCK"    = count, then per hold, by grant: lock, thread, code, granted minus the previous grant,
///             granted - requested, released - granted
/// "WAIT"    = count, then per blocked wait, by begin: thread, code, kind (0 group, 1 semaphore, 2 work
///             item, 3 queue, 4 lock), flags (1 timed out, 2 unfinished), position in META waitObjects + 1, item that
///             waits, thread that ended it (or holds the object) + 1, item that ended it, code that ended it,
///             begin minus the previous begin, length, signed (end - the time of the signal)
/// "PEND"    = count, then per item that never began, by enqueue: queue, kind, flags (1 barrier, 2 cancelled), code,
///             enqueuer + 1, item that submitted it, enqueue minus the previous enqueue, wait until its end
/// "SLIC"    = resolution, threads, then per thread: thread, count, then per slice on a processor: begin minus the
///             previous end, length, reason of its end (0 preempted, 1 blocked, 2 unknown) + 4 × (processor + 1; 0 is
///             unknown); gaps shorter than the resolution may have been closed
/// "WORK"    = resolution, count, then per step: time minus the previous time, then numbers of workers: the most
///             alive and the most active until `resolution` later, alive and active after that
/// "PATH"    = 0 without a critical path of the run, otherwise 1, begin, length, number of omitted first segments,
///             count, then per segment: kind (``CriticalPath/Kind``), code, queue + 1, thread + 1, item, begin
///             minus the previous end (at first the begin of the path), length; count, then per sum over the whole
///             path: kind, code, queue + 1, time, segments
/// "SIGN"    = count, then per signpost, by begin: name, message (both positions in META strings), begin thread, end
///             thread, code, flags (1 event), begin minus the previous begin, length
/// "TASK"    = count, then per task of Swift Concurrency, by creation: number, number of the task that created it
///             (0 none), task group (0 none), each signed and minus the value of the previous task; kind, flags
///             (1 finished, 2 cancelled), name (position in META strings), code, creating thread + 1, creation minus
///             the previous creation, life, a byte with a bit for each part of the life that is not zero (running,
///             waiting for an actor, a thread, a task, a continuation, a group, unknown), then all of these parts but
///             the last; number of omitted steps, count, then per step: 0 for a run, 1 + the kind of wait for a wait;
///             signed (begin - the previous end, at first the creation), length, code;
///               run       thread, actor + 1
///               wait      flags (1 finished), awaited task or group, 0 when not resumed, otherwise 1 + the time from
///                         its begin to the resumption; thread that resumed it + 1, number of the task that resumed it
///                         (0 none), code that resumed it, actor that it then waited for + 1, number of the task that
///                         held this actor
/// "MARK"    = count, then per misuse or change, by time: kind (``MarkKind``), queue + 1, source + 1, thread,
///             code, activation code, time minus the previous time, activation time + 1
/// "HISQ"    = width, count, then per queue with omitted items: queue, bins, then per bin that is not empty: its
///             number minus the previous number (at first 0), items that began in it, busy, waiting; bin b is
///             [b × width, (b + 1) × width), and times are in 4096ths of the width
/// "HIST"    = the same as "HISQ" per thread: busy time in omitted items, waiting time in omitted waits
/// ```
///
/// All numbers are little endian. Readers skip unknown sections. `version` changes when the meaning of a section
/// changes.
enum TimelineFormat {
    static let version = 3

    /// The critical path and each histogram can have at most 1/16 of the file.
    private static let share = 16

    /// The sections of the file.
    struct Sections {
        fileprivate var contents: [(tag: StaticString, content: [UInt8])] = []
        /// Size of the sections of items, in bytes.
        fileprivate(set) var itemBytes = 0
        /// Size of the sections of locks, waits, processors, signposts and tasks, in bytes.
        fileprivate(set) var markBytes = 0

        /// The size of the file, in bytes.
        var byteCount: Int { contents.reduce(8) { $0 + 8 + $1.content.count } }

        /// The file.
        func bytes() -> [UInt8] {
            var file = ByteWriter(reserving: byteCount)
            file.append("QSTL".utf8)
            file.fixed32(version)
            for (tag, content) in contents { file.section(tag, content) }
            return file.bytes
        }
    }

    /// Encodes the contents of the collector.
    ///
    /// - Parameters:
    ///   - document: the tables and texts, JSON in UTF-8.
    ///   - collector: the items and marks.
    ///   - strings: numbers of the texts of signposts and the names of tasks; `document` must contain these texts.
    ///   - path: the critical path of the run.
    ///   - largest: the size limit of the file in bytes, of which the path and the histograms have a share each.
    /// - Returns: the sections of the file.
    static func encode(
        document: [UInt8], collector: TimelineCollector, strings: StringTable, path: CriticalPath? = nil,
        largest: Int = .max
    ) -> Sections {
        let section = TimelineItemSection(collector.items)
        let items = section.encoded()
        let relations = section.encodedRelations()
        let marks: [(tag: StaticString, content: [UInt8])] = [
            ("LOCK", holdings(collector.holdings.elements)),
            ("WAIT", waits(collector.waits.elements, objects: collector.waitObjects, section.references)),
            ("PEND", pending(collector.pending.elements, section.references)),
            ("SLIC", TimelineProcessorSections.slices(collector.slices)),
            ("SIGN", signposts(collector.signposts.elements, strings)),
            ("TASK", TimelineTaskSection.encoded(collector.tasks.kept.elements, strings)),
            ("MARK", self.marks(TimelineMark.all(in: collector))),
        ]
        var sections = Sections()
        sections.contents = [("META", document), ("SHAP", shapes(collector.items)), ("ITEM", items)]
        sections.contents += marks
        sections.contents += [
            ("WORK", TimelineProcessorSections.workers(collector.workers)),
            ("PATH", TimelinePathSection.encoded(path, section.references, largest: largest / share)),
            ("HISQ", collector.queueActivity.encoded(largest: largest / share)),
            ("HIST", collector.threadActivity.encoded(largest: largest / share)),
            // The last section, because the page reads it after the first screen is drawn.
            ("RELA", relations),
        ]
        sections.itemBytes = items.count + relations.count
        sections.markBytes = marks.reduce(0) { $0 + $1.content.count }
        return sections
    }

    private static func shapes(_ items: ItemRows) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(Int64(items.shapes.count))
        for shape in items.shapes {
            writer.varint(Int64(shape.kind))
            writer.varint(Int64(shape.qos))
            writer.varint((shape.isBarrier ? 1 : 0) | (shape.isFinished ? 0 : 2))
            writer.varint(Int64(shape.code))
            writer.varint(Int64(shape.source) + 1)
        }
        return writer.bytes
    }

    private static func holdings(_ holdings: [LockHolding]) -> [UInt8] {
        list(holdings, by: \.grantedAt) { holding, sinceLast, writer in
            writer.varint(Int64(holding.lock.rawValue))
            writer.varint(Int64(holding.thread.rawValue))
            writer.varint(Int64(holding.code.rawValue))
            writer.varint(sinceLast)
            writer.varint((holding.grantedAt - holding.requestedAt).count)
            writer.varint((holding.releasedAt - holding.grantedAt).count)
        }
    }

    private static func waits(
        _ waits: [BlockedWait], objects: WaitObjects, _ references: ItemReferences
    ) -> [UInt8] {
        list(waits, by: \.begin) { wait, sinceLast, writer in
            writer.varint(Int64(wait.thread.rawValue))
            writer.varint(Int64(wait.code.rawValue))
            writer.varint(Int64(wait.object.kind.rawValue))
            writer.varint((wait.timedOut ? 1 : 0) | (wait.isFinished ? 0 : 2))
            writer.varint(Int64(objects.position(of: wait.object) ?? -1) + 1)
            writer.varint(references.code(of: wait.waiter?.rawValue ?? -1))
            writer.varint(Int64((wait.signaller ?? wait.holder)?.rawValue ?? -1) + 1)
            writer.varint(references.code(of: wait.signal?.item?.rawValue ?? -1))
            writer.varint(Int64(wait.signal?.code.rawValue ?? 0))
            writer.varint(sinceLast)
            writer.varint((wait.end - wait.begin).count)
            writer.zigzag((wait.end - (wait.signal?.time ?? wait.end)).count)
        }
    }

    private static func pending(_ items: [PendingItem], _ references: ItemReferences) -> [UInt8] {
        list(items, by: \.enqueuedAt) { item, sinceLast, writer in
            writer.varint(Int64(item.queue.rawValue))
            writer.varint(Int64(item.kind.rawValue))
            writer.varint((item.isBarrier ? 1 : 0) | (item.isCancelled ? 2 : 0))
            writer.varint(Int64(item.code.rawValue))
            writer.varint(Int64(item.enqueuedOn?.rawValue ?? -1) + 1)
            writer.varint(references.code(of: item.parent?.rawValue ?? -1))
            writer.varint(sinceLast)
            writer.varint((item.until - item.enqueuedAt).count)
        }
    }

    private static func signposts(_ signposts: [Signpost], _ strings: StringTable) -> [UInt8] {
        list(signposts, by: \.begin) { signpost, sinceLast, writer in
            writer.varint(Int64(strings[signpost.timelineName]))
            writer.varint(Int64(strings[signpost.message]))
            writer.varint(Int64(signpost.beginThread.rawValue))
            writer.varint(Int64(signpost.endThread.rawValue))
            writer.varint(Int64(signpost.code.rawValue))
            writer.varint(signpost.isEvent ? 1 : 0)
            writer.varint(sinceLast)
            writer.varint((signpost.end - signpost.begin).count)
        }
    }

    private static func marks(_ marks: [TimelineMark]) -> [UInt8] {
        list(marks, by: \.time) { mark, sinceLast, writer in
            writer.varint(Int64(mark.kind.rawValue))
            writer.varint(Int64(mark.queue?.rawValue ?? -1) + 1)
            writer.varint(Int64(mark.source?.rawValue ?? -1) + 1)
            writer.varint(Int64(mark.thread.rawValue))
            writer.varint(Int64(mark.code.rawValue))
            writer.varint(Int64(mark.activationCode.rawValue))
            writer.varint(sinceLast)
            writer.varint((mark.activatedAt?.nanoseconds ?? -1) + 1)
        }
    }

    /// Writes a count, then the elements in order of a time, each with the time since the previous element.
    private static func list<Element>(
        _ elements: [Element], by time: (Element) -> Timestamp, write: (Element, Int64, inout ByteWriter) -> Void
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: elements.count * 12)
        writer.varint(Int64(elements.count))
        var before: Int64 = 0
        for element in elements.sorted(by: { time($0) < time($1) }) {
            write(element, time(element).nanoseconds - before, &writer)
            before = time(element).nanoseconds
        }
        return writer.bytes
    }
}
