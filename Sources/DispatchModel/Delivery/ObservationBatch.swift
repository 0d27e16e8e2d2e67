/// Up to 1,024 observations in order, which the model passes to its observers together.
///
/// Nearly all observations are items, so items are stored in rows of their own. For every other observation, the number
/// of items before it is stored:
///
/// ```
///   items    i0 i1 i2 i3 i4 i5 …
///   others        ╰ after 2: a hand-off
///                          ╰ after 5: a worker parked
/// ```
///
/// The acquisition of an exclusion queue has no row. It follows from its item (``Item/acquisition``), directly after
/// the item.
public struct ObservationBatch: ~Copyable {
    @usableFromInline var rows = RowTable<Item>(minimumCapacity: 32)
    // The other observations, in columns: they are large, and most observers follow few of them.
    @usableFromInline var rest = RowTable<Observation>()
    @usableFromInline var restKinds = RowTable<ObservationKinds>()
    @usableFromInline var restPlaces = RowTable<Int32>()
    /// A second copy of the worker changes among them, which are the most frequent.
    @usableFromInline var workerRows = RowTable<WorkerChange>()
    /// By position of the item. Computed once the batch is full.
    @usableFromInline var traitRows = RowTable<ItemTraits>(minimumCapacity: 32)
    /// A wait that measures the cost of waking a worker.
    public struct WakeSample: Sendable {
        /// Duration of the wait.
        public let wait: Nanoseconds
        /// The root queue that the worker serves; -1 when unknown.
        public let root: Int32
        /// Whether its item has ended.
        public let isFinished: Bool
    }

    /// The samples of the items of the batch, in order.
    @usableFromInline var wakes = RowTable<WakeSample>()
    /// The number of the batch in the trace.
    public private(set) var number = 0
    /// The kinds of observations in it.
    public private(set) var kinds: ObservationKinds = []
    /// The kinds of the observations other than items.
    public private(set) var otherKinds: ObservationKinds = []
    /// The union of the traits of its items.
    public private(set) var traits: ItemTraits = []
    /// The latest begin of an item of libdispatch that held an exclusion queue; zero for none.
    public private(set) var lastGrant = Timestamp.zero

    init() {}

    /// Number of items.
    @inlinable public var itemCount: Int { rows.count }

    /// An item. Items are in the order of their ends. The row is valid while the batch is.
    @inlinable @inline(__always)
    public func row(_ position: Int) -> ItemRow {
        ItemRow(rows.address(of: position), traits: traitRows.address(of: position).pointee)
    }

    /// The traits of an item.
    @inlinable @inline(__always)
    public func traits(of position: Int) -> ItemTraits { traitRows.address(of: position).pointee }

    /// Number of other observations.
    @inlinable public var otherCount: Int { rest.count }

    /// An observation other than an item, in order.
    @inlinable
    public subscript(other position: Int) -> Observation {
        @inline(__always)
        unsafeAddress { rest.address(of: position) }
    }

    /// The kind of an observation other than an item.
    @inlinable @inline(__always)
    public func kind(ofOther position: Int) -> ObservationKinds { restKinds.address(of: position).pointee }

    /// Number of items of the batch that precede an observation.
    @inlinable @inline(__always)
    public func itemsBefore(other position: Int) -> Int { Int(restPlaces.address(of: position).pointee) }

    /// A worker change. The positions count the observations of that kind, in order.
    @inlinable @inline(__always)
    public func worker(_ position: Int) -> WorkerChange { workerRows.address(of: position).pointee }

    /// Number of samples of the cost of waking a worker.
    @inlinable public var wakeCount: Int { wakes.count }

    /// A sample of the cost of waking a worker.
    @inlinable @inline(__always)
    public func wake(_ position: Int) -> WakeSample { wakes.address(of: position).pointee }

    /// The larger of the number of items and the number of other observations.
    var length: Int { max(rows.count, rest.count) }

    var isEmpty: Bool { rows.count == 0 && rest.count == 0 }

    /// Adds an item. `fill` initialises its row.
    @inline(__always)
    mutating func appendItem(_ fill: (UnsafeMutablePointer<Item>) -> Void) {
        let row = rows.appendPlace()
        fill(row)
        kinds.formUnion(row.pointee.kinds)
    }

    mutating func append(_ observation: consuming Observation) {
        let kind = observation.kind
        if kind == .workers, case .worker(let change) = observation { workerRows.append(change) }
        rest.append(observation)
        restKinds.append(kind)
        restPlaces.append(Int32(rows.count))
        kinds.formUnion(kind)
        otherKinds.formUnion(kind)
    }

    /// Computes traits and samples that several observers need. Called on the observers' side of the pipeline.
    mutating func classify(as number: Int, in model: DispatchModel) {
        self.number = number
        var (all, lastGrant) = (ItemTraits(), Timestamp.zero)
        var row = HolderRow()
        for position in 0..<rows.count {
            let item = rows.address(of: position)
            var traits = item.pointee.traits
            if traits.intersection([.holding, .foreign]) == .holding {
                lastGrant = max(lastGrant, item.pointee.beganAt)
                traits.formUnion([.lastHolder, .holderChange])
                addHolder(item.pointee.domainPosition, item.pointee.thread, at: position, in: &row)
            }
            traitRows.append(traits)
            all.formUnion(traits)
            if traits.contains(.wakeSample) {
                wakes.append(
                    WakeSample(
                        wait: item.pointee.wait, root: model.root(of: item.pointee.thread)?.rawValue ?? -1,
                        isFinished: item.pointee.isFinished))
            }
        }
        (self.traits, self.lastGrant) = (all, lastGrant)
    }

    /// A sequence of consecutive items that held the same exclusion queue.
    private struct HolderRow {
        var last = -2
        var domain: Int32 = -1
        var thread = ThreadIndex(-1)
        var count = 0
        var countOnThread = 0
    }

    /// Adds the next item that held an exclusion queue. In a sequence of 16 or more, clears ``ItemTraits/lastHolder``
    /// except for the last eight to fifteen.
    @inline(__always)
    private mutating func addHolder(_ domain: Int32, _ thread: ThreadIndex, at position: Int, in row: inout HolderRow) {
        if position == row.last + 1, domain == row.domain {
            row.count += 1
            row.countOnThread = thread == row.thread ? row.countOnThread + 1 : 1
            if row.countOnThread > 3 { traitRows[position - 1].remove(.holderChange) }
            if row.count >= 16, row.count & 7 == 0 {
                for earlier in position - 15...position - 8 { traitRows[earlier].remove(.lastHolder) }
            }
        } else {
            (row.domain, row.count, row.countOnThread) = (domain, 1, 1)
        }
        (row.last, row.thread) = (position, thread)
    }

    mutating func removeAll() {
        rows.removeAll()
        rest.removeAll()
        restKinds.removeAll()
        restPlaces.removeAll()
        workerRows.removeAll()
        wakes.removeAll()
        traitRows.removeAll()
        kinds = []
        otherKinds = []
        traits = []
        lastGrant = .zero
    }
}

/// An item of a batch by reference. An ``Item`` has about 240 bytes, and most observers read few of its fields.
@dynamicMemberLookup
public struct ItemRow {
    @usableFromInline let address: UnsafePointer<Item>
    /// The traits of the item.
    public let traits: ItemTraits

    @usableFromInline init(_ address: UnsafePointer<Item>, traits: ItemTraits) {
        self.address = address
        self.traits = traits
    }

    /// A field of the item.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember field: KeyPath<Item, Value>) -> Value { address.pointee[keyPath: field] }

    /// A copy of the item, which outlives the batch.
    @inlinable public var copy: Item { address.pointee }
}
