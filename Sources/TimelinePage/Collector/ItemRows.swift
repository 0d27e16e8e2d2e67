import DispatchModel

/// The items of a timeline, in one array without an object per item.
struct ItemRows {
    /// An item, or an iteration of concurrentPerform.
    struct Row {
        let begin: Int64
        let service: Int64
        let wait: Int64
        /// See ``TimelineWeight``.
        fileprivate(set) var weight: Int64
        /// The number of the item in the model; -1 for an iteration of concurrentPerform, which has no number.
        let number: Int64
        /// The number of the item that submitted the item; -1 for none. Values below -1 are -2 - (a position in
        /// ``applyCallers``).
        fileprivate(set) var parent: Int64
        let queue: Int32
        let thread: Int32
        /// -1 when the enqueue was not recorded.
        let enqueuedOn: Int32
        /// -1 without a hand-off.
        let handedOverBy: Int32
        /// Position in ``shapes``.
        let shape: Int32
        /// Position in ``partsTable`` for waits with more than one part; otherwise -1 - (the number of the only part).
        fileprivate(set) var parts: Int32
    }

    private(set) var rows: [Row] = []
    /// The distinct combinations of item properties. There are about as many as call sites, so items store a position
    /// instead of the properties.
    private(set) var shapes: [ItemShape] = []
    private var shapeNumbers: [ItemShape: Int32] = [:]
    private var partsTable: [WaitParts] = []
    /// The number of the item that called each concurrentPerform with stored iterations; -1 for none.
    private var applyCallers: [Int64] = []
    /// Maps the recorder's ids of concurrentPerforms that have not returned to positions in ``applyCallers``.
    private var openApplies: [UInt64: Int] = [:]

    var count: Int { rows.count }

    mutating func append(_ item: Item, weight: Int64) {
        let shape = ItemShape(
            kind: item.kind.rawValue, qos: item.qos.rawValue, isBarrier: item.isBarrier, isFinished: item.isFinished,
            code: item.code.rawValue, source: item.source?.rawValue ?? -1)
        rows.append(
            Row(
                begin: item.beganAt.nanoseconds, service: max(0, item.service.count), wait: max(0, item.wait.count),
                weight: weight, number: item.number.rawValue, parent: item.parent?.rawValue ?? -1,
                queue: item.queue.rawValue, thread: item.thread.rawValue, enqueuedOn: item.enqueuedOn?.rawValue ?? -1,
                handedOverBy: item.handedOverBy?.rawValue ?? -1, shape: shapeNumber(of: shape),
                parts: partsNumber(of: item.waitParts, wait: item.wait)))
    }

    mutating func append(_ iteration: ApplyIteration, weight: Int64) {
        let shape = ItemShape(
            kind: ItemKind.apply.rawValue, qos: 0, isBarrier: false, isFinished: true, code: iteration.code.rawValue,
            source: -1)
        rows.append(
            Row(
                begin: iteration.begin.nanoseconds, service: max(0, (iteration.end - iteration.begin).count), wait: 0,
                weight: weight, number: -1, parent: -2 - Int64(caller(of: iteration.apply)),
                queue: iteration.queue.rawValue, thread: iteration.thread.rawValue, enqueuedOn: -1, handedOverBy: -1,
                shape: shapeNumber(of: shape), parts: -1))
    }

    /// Sets the caller of a concurrentPerform. Its iterations are observed before it, without the caller.
    mutating func close(_ apply: ApplyCall) {
        guard let position = openApplies.removeValue(forKey: apply.id) else { return }
        applyCallers[position] = apply.item?.rawValue ?? -1
    }

    /// The number of the item that submitted the item of a row, or that called its concurrentPerform; -1 for none.
    func parent(of row: Row) -> Int64 { row.parent >= -1 ? row.parent : applyCallers[Int(-2 - row.parent)] }

    private mutating func caller(of apply: UInt64) -> Int {
        if let open = openApplies[apply] { return open }
        openApplies[apply] = applyCallers.count
        applyCallers.append(-1)
        return applyCallers.count - 1
    }

    /// Assigns a weight to every row.
    ///
    /// - Parameter weigh: receives the enqueue time, the end time and the weighted time of an item; returns its weight.
    mutating func weigh(_ weigh: (_ begin: Int64, _ end: Int64, _ time: Int64) -> Int64) {
        for position in rows.indices {
            let row = rows[position]
            rows[position].weight = weigh(
                row.begin - row.wait, row.begin + row.service,
                TimelineWeight.time(service: row.service, wait: row.wait, blocks: shapes[Int(row.shape)].blocks))
        }
    }

    /// Removes rows.
    ///
    /// - Parameter isKept: called once for each row, in order.
    mutating func keep(where isKept: (Row, ItemShape) -> Bool) {
        // Maps old positions to positions in the new list of callers; -1 for callers that have no rows left.
        var callers = [Int](repeating: -1, count: applyCallers.count)
        var keptCallers: [Int64] = []
        for position in openApplies.values {
            callers[position] = keptCallers.count
            keptCallers.append(-1)
        }
        openApplies = openApplies.mapValues { callers[$0] }
        var keptParts: [WaitParts] = []
        var count = 0
        for position in rows.indices where isKept(rows[position], shapes[Int(rows[position].shape)]) {
            var row = rows[position]
            if row.parts >= 0 {
                keptParts.append(partsTable[Int(row.parts)])
                row.parts = Int32(keptParts.count - 1)
            }
            if row.parent < -1 {
                let caller = Int(-2 - row.parent)
                if callers[caller] < 0 {
                    callers[caller] = keptCallers.count
                    keptCallers.append(applyCallers[caller])
                }
                row.parent = -2 - Int64(callers[caller])
            }
            rows[count] = row
            count += 1
        }
        rows.removeLast(rows.count - count)
        (partsTable, applyCallers) = (keptParts, keptCallers)
    }

    private mutating func shapeNumber(of value: ItemShape) -> Int32 {
        if let last = shapes.last, last == value { return Int32(shapes.count - 1) }
        if let known = shapeNumbers[value] { return known }
        let number = Int32(shapes.count)
        shapes.append(value)
        shapeNumbers[value] = number
        return number
    }

    /// Most waits have one part, which equals the wait, so only the number of the part is stored.
    private mutating func partsNumber(of value: WaitParts, wait: Nanoseconds) -> Int32 {
        if let only = WaitPart.allCases.first(where: { value[$0] == wait }) { return -1 - Int32(only.rawValue) }
        partsTable.append(value)
        return Int32(partsTable.count - 1)
    }

    /// The parts of the wait of a row in nanoseconds, in the order of ``WaitPart``.
    func parts(of row: Row) -> [Int64] {
        if row.parts >= 0 { return partsTable[Int(row.parts)].named.map(\.value.count) }
        var amounts = [Int64](repeating: 0, count: WaitPart.allCases.count)
        amounts[Int(-1 - row.parts)] = row.wait
        return amounts
    }
}

/// The properties of an item, apart from its time and thread.
struct ItemShape: Hashable {
    let kind: UInt8
    let qos: UInt8
    let isBarrier: Bool
    let isFinished: Bool
    let code: Int32
    /// -1 for an item that is not the handler of a source.
    let source: Int32

    /// Whether a thread was blocked while the item waited.
    var blocks: Bool { kind == ItemKind.sync.rawValue || kind == ItemKind.asyncAndWait.rawValue }
}
