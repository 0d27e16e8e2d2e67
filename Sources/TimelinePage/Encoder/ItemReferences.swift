/// Maps item numbers to rows, for references from one row to another.
///
/// Encoded as varint: 0 for no item, 1 for an item without a row in the timeline, otherwise 2 + the row.
struct ItemReferences {
    private var rows: [Int64: Int32] = [:]

    /// - Parameters:
    ///   - order: positions in `items`, in the order of the rows.
    ///   - items: the items.
    init(_ order: [Int], _ items: ItemRows) {
        rows.reserveCapacity(order.count)
        for (row, position) in order.enumerated() where items.rows[position].number >= 0 {
            rows[items.rows[position].number] = Int32(row)
        }
    }

    /// The row of the item with a number; nil when the timeline has no such row.
    func row(of number: Int64) -> Int? { rows[number].map(Int.init) }

    /// The encoded reference to an item; `number` is -1 for no item.
    func code(of number: Int64) -> Int64 {
        guard number >= 0 else { return 0 }
        return row(of: number).map { Int64($0) + 2 } ?? 1
    }
}
