import DispatchModel

/// The section of the critical path in the timeline data. ``TimelineFormat`` describes it.
enum TimelinePathSection {
    /// The approximate size of a segment in bytes.
    private static let segmentSize = 12

    /// - Parameters:
    ///   - path: the critical path; nil for none.
    ///   - references: the rows of items.
    ///   - largest: the approximate size limit in bytes. The earliest segments are omitted, but never the sums.
    /// - Returns: the contents of the section.
    static func encoded(_ path: CriticalPath?, _ references: ItemReferences, largest: Int) -> [UInt8] {
        var writer = ByteWriter()
        guard let path else {
            writer.varint(0)
            return writer.bytes
        }
        let segments = path.segments.suffix(largest / segmentSize)
        writer.varint(1)
        writer.varint(path.begin.nanoseconds)
        writer.varint(path.duration.count)
        writer.varint(Int64(path.omittedSegments + path.segments.count - segments.count))
        writer.varint(Int64(segments.count))
        var before = path.begin.nanoseconds
        for segment in segments {
            head(of: segment.kind, segment.code, segment.queue, into: &writer)
            writer.varint(Int64(segment.thread?.rawValue ?? -1) + 1)
            writer.varint(references.code(of: segment.item?.rawValue ?? -1))
            writer.varint(segment.begin.nanoseconds - before)
            writer.varint(segment.duration.count)
            before = segment.end.nanoseconds
        }
        writer.varint(Int64(path.totals.count))
        for total in path.totals {
            head(of: total.kind, total.code, total.queue, into: &writer)
            writer.varint(total.time.count)
            writer.varint(Int64(total.count))
        }
        return writer.bytes
    }

    private static func head(
        of kind: CriticalPath.Kind, _ code: CodeIndex, _ queue: QueueIndex?, into writer: inout ByteWriter
    ) {
        writer.varint(Int64(kind.rawValue))
        writer.varint(Int64(code.rawValue))
        writer.varint(Int64(queue?.rawValue ?? -1) + 1)
    }
}
