/// Assigns items to requests: by the span in which they were submitted, or by the item that submitted them.
///
/// Stores 4 bytes per item, and only for traces with intervals of requests.
struct OTLPItemChains {
    private static let none: Int32 = -1

    /// By the number of the item: the place of its submission; ``none``; or -2 minus the number of its parent.
    private var entries: [Int32] = []

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - parent: the number of the item that submitted it; -1 for none. Numbers are in the order of submission, so a
    ///     larger number is damage and is ignored.
    ///   - place: the span in which it was submitted; nil for none.
    mutating func add(_ number: Int64, parent: Int64, place: OTLPContexts.Place?) {
        guard number >= 0, number < Int64(Int32.max) - 2 else { return }
        let position = Int(number)
        while entries.count <= position { entries.append(Self.none) }
        if let place {
            entries[position] = place.rawValue
        } else if parent >= 0, parent < number {
            entries[position] = -2 - Int32(parent)
        }
    }

    /// The place of the request that an item belongs to, and whether the item was submitted there.
    ///
    /// - Complexity: amortised almost constant: the items of a chain are assigned together.
    mutating func place(of number: Int64) -> (place: OTLPContexts.Place, isDirect: Bool)? {
        guard number >= 0, number < Int64(entries.count) else { return nil }
        let first = entries[Int(number)]
        if first >= 0 { return (OTLPContexts.Place(rawValue: first), true) }
        guard let root = root(of: Int(number)), entries[root] >= 0 else { return nil }
        return (OTLPContexts.Place(rawValue: entries[root]), false)
    }

    /// The first item of the chain that was submitted in a span, or has no parent.
    private mutating func root(of number: Int) -> Int? {
        var root = number
        while root < entries.count, entries[root] < Self.none { root = Int(-2 - entries[root]) }
        guard root < entries.count else { return nil }
        // Shortens the chain for later calls.
        var next = number
        while next != root {
            let parent = Int(-2 - entries[next])
            entries[next] = -2 - Int32(root)
            next = parent
        }
        return root
    }
}
