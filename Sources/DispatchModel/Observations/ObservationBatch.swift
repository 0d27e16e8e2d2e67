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
    /// The kinds of observations in it.
    public private(set) var kinds: ObservationKinds = []

    init() {}

    /// How many items it has.
    @inlinable public var itemCount: Int { rows.count }

    /// An item; they come in the order of their end. Valid as long as the batch is.
    @inlinable @inline(__always)
    public func row(_ position: Int) -> ItemRow { ItemRow(rows.address(of: position)) }

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
    }

    mutating func removeAll() {
        rows.removeAll()
        rest.removeAll()
        kinds = []
    }
}

/// An item of a batch, by reference: an ``Item`` has some 240 bytes, and most observers read a few of its fields.
@dynamicMemberLookup
public struct ItemRow {
    @usableFromInline let address: UnsafePointer<Item>

    @usableFromInline init(_ address: UnsafePointer<Item>) { self.address = address }

    /// A field of the item.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember field: KeyPath<Item, Value>) -> Value { address.pointee[keyPath: field] }

    /// The whole item, to be kept.
    @inlinable public var copy: Item { address.pointee }
}
