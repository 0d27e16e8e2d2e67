import DispatchModel

/// The two sections of items in the timeline data, column by column. ``TimelineFormat`` describes them.
struct TimelineItemSection {
    private let items: ItemColumns
    /// Positions in ``items``, by queue and then begin.
    private let order: [Int]
    /// Maps item numbers to rows.
    let references: ItemReferences

    init(_ items: ItemColumns) {
        self.items = items
        order = Self.order(of: items)
        references = ItemReferences(order, items)
    }

    /// Sorts by queue and then begin. Items of a queue are mostly in order already, so sorting is fast.
    private static func order(of items: ItemColumns) -> [Int] {
        var queues: [[Int]] = []
        for position in 0..<items.count {
            let queue = Int(items.queue[position])
            while queues.count <= queue { queues.append([]) }
            queues[queue].append(position)
        }
        return queues.flatMap { positions in
            positions.sorted { (items.begin[$0], $0) < (items.begin[$1], $1) }
        }
    }

    /// The contents of the section with the columns that the first screen draws.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(reserving: items.count * 12)
        writer.varint(Int64(items.count))
        let starts = order.indices.filter { $0 == 0 || items.queue[order[$0 - 1]] != items.queue[order[$0]] }
        writer.varint(Int64(starts.count))
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : order.count
            writer.varint(Int64(items.queue[order[start]]))
            writer.varint(Int64(end - start))
        }
        writer.column(NumberColumn(begins()).encoded())
        writer.column(NumberColumn(order.map { items.service[$0] }).encoded())
        writer.column(NumberColumn(order.map { items.wait[$0] }).encoded())
        writer.column(NumberColumn(order.map { Int64(items.shape[$0]) }).encoded())
        writer.column(NumberColumn(order.map { Int64(items.thread[$0]) }).encoded())
        writer.column(NumberColumn(order.map { Int64(items.enqueuedOn[$0]) + 1 }).encoded())
        return writer.bytes
    }

    /// The contents of the section with the columns that are shown for a selected item.
    func encodedRelations() -> [UInt8] {
        var writer = ByteWriter(reserving: items.count * 3)
        func column(_ write: (inout ByteWriter) -> Void) {
            var content = ByteWriter(reserving: items.count)
            write(&content)
            writer.column(content.bytes)
        }
        column { content in for row in order where items.wait[row] > 0 { parts(of: row, into: &content) } }
        column { handoffs(into: &$0) }
        column { parents(into: &$0) }
        return writer.bytes
    }

    /// Each begin minus the previous begin of the same queue.
    private func begins() -> [Int64] {
        var before: (queue: Int32, begin: Int64) = (-1, 0)
        return order.map { row in
            let isSameQueue = items.queue[row] == before.queue
            defer { before = (items.queue[row], items.begin[row]) }
            return items.begin[row] - (isSameQueue ? before.begin : 0)
        }
    }

    private func parts(of row: Int, into content: inout ByteWriter) {
        if items.parts[row] < 0 {
            content.byte(1 << UInt8(-1 - items.parts[row]))
            return
        }
        let amounts = items.parts(at: row)
        let present = amounts.indices.filter { amounts[$0] > 0 }
        content.byte(present.reduce(0) { $0 | 1 << UInt8($1) })
        for part in present.dropLast() { content.varint(amounts[part]) }
    }

    private func handoffs(into content: inout ByteWriter) {
        let handed = order.indices.filter { items.handedOverBy[order[$0]] >= 0 }
        content.varint(Int64(handed.count))
        var before = 0
        for position in handed {
            content.varint(Int64(position - before))
            content.varint(Int64(items.handedOverBy[order[position]]))
            before = position
        }
    }

    /// Items of a queue are mostly submitted by items of another queue, in the same order. So the difference to the
    /// previous reference is small.
    private func parents(into content: inout ByteWriter) {
        var before = 0
        for position in order {
            let number = items.parent(at: position)
            guard number >= 0 else {
                content.varint(0)
                continue
            }
            guard let row = references.row(of: number) else {
                content.varint(1)
                continue
            }
            content.zigzag(Int64(row - before), above: 2)
            before = row
        }
    }
}
