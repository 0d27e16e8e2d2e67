import DispatchModel

/// The items of a timeline as a structure of arrays: 4 to 8 bytes per column and item, without an object per item.
struct ItemColumns {
    private(set) var begin: [Int64] = []
    private(set) var service: [Int64] = []
    private(set) var wait: [Int64] = []
    /// See ``TimelineWeight``.
    private(set) var weight: [Int64] = []
    /// The number of the item in the model; -1 for an iteration of concurrentPerform, which has no number.
    private(set) var number: [Int64] = []
    /// The number of the item that submitted the item; -1 for none. Values below -1 are -2 - (a position in
    /// ``applyCallers``).
    private(set) var parent: [Int64] = []
    private(set) var queue: [Int32] = []
    private(set) var thread: [Int32] = []
    /// -1 when the enqueue was not recorded.
    private(set) var enqueuedOn: [Int32] = []
    /// -1 without a hand-off.
    private(set) var handedOverBy: [Int32] = []
    /// Position in ``shapes``.
    private(set) var shape: [Int32] = []
    /// Position in ``partsTable`` for waits with more than one part; otherwise -1 - (the number of the only part).
    private(set) var parts: [Int32] = []

    /// The distinct combinations of item properties. There are about as many as call sites, so items store a position
    /// instead of the properties.
    private(set) var shapes: [ItemShape] = []
    private var shapeNumbers: [ItemShape: Int32] = [:]
    private(set) var partsTable: [WaitParts] = []
    /// The number of the item that called each concurrentPerform with stored iterations; -1 for none.
    private(set) var applyCallers: [Int64] = []
    /// Maps the recorder's ids of concurrentPerforms that have not returned to positions in ``applyCallers``.
    private var openApplies: [UInt64: Int] = [:]

    var count: Int { begin.count }

    mutating func append(_ item: Item, weight: Int64) {
        self.weight.append(weight)
        begin.append(item.beganAt.nanoseconds)
        service.append(max(0, item.service.count))
        wait.append(max(0, item.wait.count))
        number.append(item.number.rawValue)
        parent.append(item.parent?.rawValue ?? -1)
        queue.append(item.queue.rawValue)
        thread.append(item.thread.rawValue)
        enqueuedOn.append(item.enqueuedOn?.rawValue ?? -1)
        handedOverBy.append(item.handedOverBy?.rawValue ?? -1)
        shape.append(
            shapeNumber(
                of: ItemShape(
                    kind: item.kind.rawValue, qos: item.qos.rawValue, isBarrier: item.isBarrier,
                    isFinished: item.isFinished, code: item.code.rawValue, source: item.source?.rawValue ?? -1)))
        parts.append(partsNumber(of: item.waitParts, wait: item.wait))
    }

    mutating func append(_ iteration: ApplyIteration, weight: Int64) {
        self.weight.append(weight)
        begin.append(iteration.begin.nanoseconds)
        service.append(max(0, (iteration.end - iteration.begin).count))
        wait.append(0)
        number.append(-1)
        parent.append(-2 - Int64(caller(of: iteration.apply)))
        queue.append(iteration.queue.rawValue)
        thread.append(iteration.thread.rawValue)
        enqueuedOn.append(-1)
        handedOverBy.append(-1)
        shape.append(
            shapeNumber(
                of: ItemShape(
                    kind: ItemKind.apply.rawValue, qos: 0, isBarrier: false, isFinished: true,
                    code: iteration.code.rawValue, source: -1)))
        parts.append(-1)
    }

    /// Sets the caller of a concurrentPerform. Its iterations are observed before it, so the caller is known only then.
    mutating func close(_ apply: ApplyCall) {
        guard let position = openApplies.removeValue(forKey: apply.id) else { return }
        applyCallers[position] = apply.item?.rawValue ?? -1
    }

    /// The number of the item that submitted the item of a row, or that called its concurrentPerform; -1 for none.
    func parent(at row: Int) -> Int64 {
        parent[row] >= -1 ? parent[row] : applyCallers[Int(-2 - parent[row])]
    }

    private mutating func caller(of apply: UInt64) -> Int {
        if let open = openApplies[apply] { return open }
        openApplies[apply] = applyCallers.count
        applyCallers.append(-1)
        return applyCallers.count - 1
    }

    /// Whether a thread was blocked while the item waited.
    func blocks(_ row: Int) -> Bool {
        let kind = shapes[Int(shape[row])].kind
        return kind == ItemKind.sync.rawValue || kind == ItemKind.asyncAndWait.rawValue
    }

    /// Assigns a weight to every row.
    ///
    /// - Parameter weigh: receives the enqueue time, the end time and the weighted time of an item; returns its weight.
    mutating func weigh(_ weigh: (_ begin: Int64, _ end: Int64, _ time: Int64) -> Int64) {
        for row in 0..<count {
            weight[row] = weigh(
                begin[row] - wait[row], begin[row] + service[row],
                TimelineWeight.time(service: service[row], wait: wait[row], blocks: blocks(row)))
        }
    }

    /// Removes rows.
    ///
    /// - Parameter isKept: called once for each row, in order.
    mutating func keep(where isKept: (Int) -> Bool) {
        var kept = ItemColumns()
        kept.shapes = shapes
        kept.shapeNumbers = shapeNumbers
        // Maps old positions to positions in the new list of callers; -1 for callers that have no rows left.
        var callers = [Int](repeating: -1, count: applyCallers.count)
        for position in openApplies.values {
            callers[position] = kept.applyCallers.count
            kept.applyCallers.append(-1)
        }
        kept.openApplies = openApplies.mapValues { callers[$0] }
        for row in 0..<count where isKept(row) {
            kept.begin.append(begin[row])
            kept.service.append(service[row])
            kept.wait.append(wait[row])
            kept.weight.append(weight[row])
            kept.number.append(number[row])
            kept.queue.append(queue[row])
            kept.thread.append(thread[row])
            kept.enqueuedOn.append(enqueuedOn[row])
            kept.handedOverBy.append(handedOverBy[row])
            kept.shape.append(shape[row])
            if parts[row] < 0 {
                kept.parts.append(parts[row])
            } else {
                kept.parts.append(Int32(kept.partsTable.count))
                kept.partsTable.append(partsTable[Int(parts[row])])
            }
            guard parent[row] < -1 else {
                kept.parent.append(parent[row])
                continue
            }
            let caller = Int(-2 - parent[row])
            if callers[caller] < 0 {
                callers[caller] = kept.applyCallers.count
                kept.applyCallers.append(applyCallers[caller])
            }
            kept.parent.append(-2 - Int64(callers[caller]))
        }
        self = kept
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
        switch wait {
        case value.ownBacklog: return -1
        case value.hierarchy: return -2
        case value.barrier: return -3
        case value.suspended: return -4
        case value.notDue: return -5
        case value.pool: return -6
        case value.threadStart: return -7
        case value.scheduler: return -8
        default:
            partsTable.append(value)
            return Int32(partsTable.count - 1)
        }
    }

    /// The eight parts of the wait of a row, in nanoseconds, in the order of ``WaitParts/named``.
    func parts(at row: Int) -> [Int64] {
        if parts[row] >= 0 { return partsTable[Int(parts[row])].named.map(\.value.count) }
        var amounts = [Int64](repeating: 0, count: 8)
        amounts[Int(-1 - parts[row])] = wait[row]
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
}
