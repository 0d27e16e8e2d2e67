/// Up to a thousand observations in the order in which they became known: what the model hands to its observers at a time.
///
/// Nearly all observations are items, so they are rows of their own. The others say how many items came before them:
///
/// ```
///   items    i0 i1 i2 i3 i4 i5 …
///   others        ╰ after 2: a hand-off
///                          ╰ after 5: a worker parked
/// ```
///
/// The acquisition of an exclusion queue is no row: an item tells it (``Item/acquisition``), right after itself.
public struct ObservationBatch: ~Copyable {
    @usableFromInline var rows = RowTable<Item>(minimumCapacity: 32)
    // The observations that are no items, in columns: they are large, and most observers follow few of them.
    @usableFromInline var rest = RowTable<Observation>()
    @usableFromInline var restKinds = RowTable<ObservationKinds>()
    @usableFromInline var restPlaces = RowTable<Int32>()
    /// The changes of workers among them once more: they are the most frequent.
    @usableFromInline var workerRows = RowTable<WorkerChange>()
    /// By item, once the batch is full.
    @usableFromInline var traitRows = RowTable<ItemTraits>(minimumCapacity: 32)
    /// A wait that tells what it costs to wake a worker.
    public struct WakeSample: Sendable {
        /// How long it took.
        public let wait: Nanoseconds
        /// The root queue that the worker serves, -1 for an unknown one.
        public let root: Int32
        /// Its item has ended.
        public let isFinished: Bool
    }

    /// Those of its items, in order.
    @usableFromInline var wakes = RowTable<WakeSample>()
    /// Counts the batches of a trace.
    public private(set) var number = 0
    /// The kinds of observations in it.
    public private(set) var kinds: ObservationKinds = []
    /// The kinds of those that are no items.
    public private(set) var otherKinds: ObservationKinds = []
    /// What any of its items has.
    public private(set) var traits: ItemTraits = []
    /// When an item of libdispatch's last began that held an exclusion queue; zero for none.
    public private(set) var lastGrant = Timestamp.zero

    init() {}

    /// How many items it has.
    @inlinable public var itemCount: Int { rows.count }

    /// An item; they come in the order of their end. Valid as long as the batch is.
    @inlinable @inline(__always)
    public func row(_ position: Int) -> ItemRow {
        ItemRow(rows.address(of: position), traits: traitRows.address(of: position).pointee)
    }

    /// What an item is, in bits.
    @inlinable @inline(__always)
    public func traits(of position: Int) -> ItemTraits { traitRows.address(of: position).pointee }

    /// How many observations it has that are no items.
    @inlinable public var otherCount: Int { rest.count }

    /// An observation that is no item; they come in order.
    @inlinable
    public subscript(other position: Int) -> Observation {
        @inline(__always)
        unsafeAddress { rest.address(of: position) }
    }

    /// Of which kind it is.
    @inlinable @inline(__always)
    public func kind(ofOther position: Int) -> ObservationKinds { restKinds.address(of: position).pointee }

    /// How many items of the batch became known before it.
    @inlinable @inline(__always)
    public func itemsBefore(other position: Int) -> Int { Int(restPlaces.address(of: position).pointee) }

    /// A change of a worker; they come in the order of the observations with the kind of these.
    @inlinable @inline(__always)
    public func worker(_ position: Int) -> WorkerChange { workerRows.address(of: position).pointee }

    /// How many of its items tell what it costs to wake a worker.
    @inlinable public var wakeCount: Int { wakes.count }

    /// One of these.
    @inlinable @inline(__always)
    public func wake(_ position: Int) -> WakeSample { wakes.address(of: position).pointee }

    /// How many items, or how many others, it has, whichever are more.
    var length: Int { max(rows.count, rest.count) }

    var isEmpty: Bool { rows.count == 0 && rest.count == 0 }

    /// Adds an item, whose row `fill` fills.
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

    /// Works out what several observers need: on their side of the pipeline, before they see the batch.
    mutating func classify(as number: Int, in model: DispatchModel) {
        self.number = number
        var (all, lastGrant) = (ItemTraits(), Timestamp.zero)
        var row = HolderRow()
        for position in 0..<rows.count {
            let item = rows.address(of: position)
            var traits = item.pointee.traits
            if traits.intersection([.holding, .stretch]) == .holding {
                lastGrant = max(lastGrant, item.pointee.beganAt)
                traits.formUnion([.lastHolder, .holderChange])
                note(item.pointee.domainPosition, item.pointee.thread, at: position, in: &row)
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

    /// Items that come one after the other and held the same exclusion queue.
    private struct HolderRow {
        var last = -2
        var domain: Int32 = -1
        var thread = ThreadIndex(-1)
        var count = 0
        var countOnThread = 0
    }

    /// The next item that held an exclusion queue. In a row of sixteen or more, all but the last eight to fifteen are
    /// not among the last holders.
    @inline(__always)
    private mutating func note(_ domain: Int32, _ thread: ThreadIndex, at position: Int, in row: inout HolderRow) {
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

/// An item of a batch, by reference: an ``Item`` has some 240 bytes, and most observers read a few of its fields.
@dynamicMemberLookup
public struct ItemRow {
    @usableFromInline let address: UnsafePointer<Item>
    /// What it is, in bits.
    public let traits: ItemTraits

    @usableFromInline init(_ address: UnsafePointer<Item>, traits: ItemTraits) {
        self.address = address
        self.traits = traits
    }

    /// A field of the item.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember field: KeyPath<Item, Value>) -> Value { address.pointee[keyPath: field] }

    /// The whole item, to be kept.
    @inlinable public var copy: Item { address.pointee }
}
