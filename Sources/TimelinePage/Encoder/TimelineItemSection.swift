import DispatchModel

/// The two sections of items in the timeline data, column by column. ``TimelineFormat`` describes them.
struct TimelineItemSection {
    private let items: ItemRows
    /// Positions in ``items``, by queue and then begin.
    private let order: [Int]
    /// Maps item numbers to rows.
    let references: ItemReferences

    init(_ items: ItemRows) {
        self.items = items
        order = Self.order(of: items)
        references = ItemReferences(order, items)
    }

    /// Sorts by queue and then begin. Items of a queue are mostly in order already, so sorting is fast.
    ///
    /// - Complexity: O(n log n) in the number of items of each queue, and O(n) in the number of queues.
    private static func order(of items: ItemRows) -> [Int] {
        // The begin of each queue in the order, then its end.
        var bounds = [Int](repeating: 0, count: Int(items.rows.map(\.queue).max() ?? -1) + 1)
        for row in items.rows { bounds[Int(row.queue)] += 1 }
        var start = 0
        for queue in bounds.indices { (bounds[queue], start) = (start, start + bounds[queue]) }
        var order = [Int](repeating: 0, count: items.count)
        for (position, row) in items.rows.enumerated() {
            order[bounds[Int(row.queue)]] = position
            bounds[Int(row.queue)] += 1
        }
        order.withUnsafeMutableBufferPointer { order in
            var start = 0
            for end in bounds {
                var queue = UnsafeMutableBufferPointer(rebasing: order[start..<end])
                queue.sort { (items.rows[$0].begin, $0) < (items.rows[$1].begin, $1) }
                start = end
            }
        }
        return order
    }

    /// The contents of the section with the columns that the first screen draws.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(reserving: items.count * 12)
        let rows = items.rows
        writer.varint(Int64(rows.count))
        let starts = order.indices.filter { $0 == 0 || rows[order[$0 - 1]].queue != rows[order[$0]].queue }
        writer.varint(Int64(starts.count))
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : order.count
            writer.varint(Int64(rows[order[start]].queue))
            writer.varint(Int64(end - start))
        }
        writer.column(NumberColumn(begins()).encoded())
        writer.column(NumberColumn(order.map { rows[$0].service }).encoded())
        writer.column(NumberColumn(order.map { rows[$0].wait }).encoded())
        writer.column(NumberColumn(order.map { Int64(rows[$0].shape) }).encoded())
        writer.column(NumberColumn(order.map { Int64(rows[$0].thread) }).encoded())
        writer.column(NumberColumn(order.map { Int64(rows[$0].enqueuedOn) + 1 }).encoded())
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
        column { content in
            for position in order where items.rows[position].wait > 0 {
                parts(of: items.rows[position], into: &content)
            }
        }
        column { handoffs(into: &$0) }
        column { parents(into: &$0) }
        return writer.bytes
    }

    /// Each begin minus the previous begin of the same queue.
    private func begins() -> [Int64] {
        var before: (queue: Int32, begin: Int64) = (-1, 0)
        return order.map { position in
            let row = items.rows[position]
            defer { before = (row.queue, row.begin) }
            return row.begin - (row.queue == before.queue ? before.begin : 0)
        }
    }

    private func parts(of row: ItemRows.Row, into content: inout ByteWriter) {
        if row.parts < 0 {
            content.byte(1 << UInt8(-1 - row.parts))
            return
        }
        let amounts = items.parts(of: row)
        let present = amounts.indices.filter { amounts[$0] > 0 }
        content.byte(present.reduce(0) { $0 | 1 << UInt8($1) })
        for part in present.dropLast() { content.varint(amounts[part]) }
    }

    private func handoffs(into content: inout ByteWriter) {
        let handed = order.indices.filter { items.rows[order[$0]].handedOverBy >= 0 }
        content.varint(Int64(handed.count))
        var before = 0
        for position in handed {
            content.varint(Int64(position - before))
            content.varint(Int64(items.rows[order[position]].handedOverBy))
            before = position
        }
    }

    /// Items of a queue are mostly submitted by items of another queue, in the same order. So the difference to the
    /// previous reference is small.
    private func parents(into content: inout ByteWriter) {
        var before = 0
        for position in order {
            let number = items.parent(of: items.rows[position])
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
