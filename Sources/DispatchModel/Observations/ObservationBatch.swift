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
    /// An observation that is no item.
    public struct Other: Sendable {
        /// The items of the batch that became known before it.
        public let itemsBefore: Int
        /// Of which kind it is.
        public let kind: ObservationKinds
        /// What became known.
        public let observation: Observation
    }

    @usableFromInline var rows = RowTable<Item>(minimumCapacity: 32)
    @usableFromInline var rest = RowTable<Other>()
    /// By item, once the batch is full.
    @usableFromInline var traitRows = RowTable<ItemTraits>(minimumCapacity: 32)
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
    public subscript(other position: Int) -> Other {
        @inline(__always)
        unsafeAddress { rest.address(of: position) }
    }

    /// How many items, or how many others, it has, whichever are more.
    var length: Int { max(rows.count, rest.count) }

    var isEmpty: Bool { rows.count == 0 && rest.count == 0 }

    @inline(__always)
    mutating func append(_ item: Item) {
        rows.append(item)
        kinds.formUnion(item.kinds)
    }

    mutating func append(_ observation: Observation) {
        let kind = observation.kind
        rest.append(Other(itemsBefore: rows.count, kind: kind, observation: observation))
        kinds.formUnion(kind)
        otherKinds.formUnion(kind)
    }

    /// Works out what several observers need: on their side of the pipeline, before they see the batch.
    mutating func classify() {
        for position in 0..<rows.count {
            let traits = rows[position].traits
            traitRows.append(traits)
            self.traits.formUnion(traits)
            if traits.intersection([.holding, .stretch]) == .holding {
                lastGrant = max(lastGrant, rows[position].beganAt)
            }
        }
    }

    mutating func removeAll() {
        rows.removeAll()
        rest.removeAll()
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
