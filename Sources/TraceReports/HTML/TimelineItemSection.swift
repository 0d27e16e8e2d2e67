import DispatchModel

/// The items' section of the timeline's data, column by column; ``TimelineFormat`` describes it.
struct TimelineItemSection {
    private let items: ItemColumns
    /// Positions in ``items``, by queue and then begin.
    private let order: [Int]
    /// The rows of items, by their numbers.
    let references: ItemReferences

    init(_ items: ItemColumns) {
        self.items = items
        order = Self.order(of: items)
        references = ItemReferences(order, items)
    }

    /// By queue and then begin. Items of a queue mostly come in order, so that there is little to sort.
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

    /// The section's content.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(reserving: items.count * 20)
        writer.varint(Int64(items.count))
        let starts = order.indices.filter { $0 == 0 || items.queue[order[$0 - 1]] != items.queue[order[$0]] }
        writer.varint(Int64(starts.count))
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : order.count
            writer.varint(Int64(items.queue[order[start]]))
            writer.varint(Int64(end - start))
        }

        func column(_ write: (inout ByteWriter) -> Void) {
            var content = ByteWriter(reserving: items.count * 2)
            write(&content)
            writer.varint(Int64(content.bytes.count))
            writer.append(content.bytes)
        }
        column { begins(into: &$0) }
        column { content in for row in order { content.varint(items.service[row]) } }
        column { content in for row in order { content.varint(items.wait[row]) } }
        column { content in for row in order { content.varint(Int64(items.shape[row])) } }
        column { content in for row in order { content.varint(Int64(items.thread[row])) } }
        column { content in for row in order { content.varint(Int64(items.enqueuedOn[row]) + 1) } }
        column { content in for row in order where items.wait[row] > 0 { parts(of: row, into: &content) } }
        column { handoffs(into: &$0) }
        column { parents(into: &$0) }
        return writer.bytes
    }

    private func begins(into content: inout ByteWriter) {
        var before: (queue: Int32, begin: Int64) = (-1, 0)
        for row in order {
            let isSameQueue = items.queue[row] == before.queue
            content.varint(items.begin[row] - (isSameQueue ? before.begin : 0))
            before = (items.queue[row], items.begin[row])
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

    /// The items of a queue mostly are submitted by those of another one in the order of both, so that the difference
    /// to the reference before is small.
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
