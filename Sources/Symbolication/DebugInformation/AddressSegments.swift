/// Maps addresses to owners, given ranges that may be nested or overlap.
struct AddressSegments {
    struct Entry {
        let begin: UInt64
        let end: UInt64
        /// The number of the owner. Where ranges overlap, the highest number has the address.
        let owner: Int32
    }

    /// A limit against hostile files, which can nest ranges arbitrarily.
    private static let longestNesting = 1024

    /// The first addresses of the segments, ascending.
    private var begins: [UInt64] = []
    /// The owners of the segments; -1 for a gap.
    private var owners: [Int32] = []
    private var active: [Entry] = []

    /// Sorts the ranges. Empty ranges are ignored.
    ///
    /// ```
    /// ranges    0 [----------------)
    ///           1     [-------)
    ///           2       [--)
    /// segments  0 -- 1 - 2 - 1 -- 0 --- gap
    /// ```
    init(_ ranges: [Entry]) {
        for range in ranges.sorted(by: { ($0.begin, $0.owner) < ($1.begin, $1.owner) }) where range.begin < range.end {
            close(upTo: range.begin)
            if active.count >= Self.longestNesting { continue }
            let place = (active.lastIndex { $0.owner <= range.owner } ?? -1) + 1
            active.insert(range, at: place)
            add(range.begin, active[active.count - 1].owner)
        }
        close(upTo: .max)
        active = []
    }

    private mutating func close(upTo limit: UInt64) {
        while let top = active.last, top.end <= limit {
            while let next = active.last, next.end <= top.end { active.removeLast() }
            add(top.end, active.last?.owner ?? -1)
        }
    }

    private mutating func add(_ begin: UInt64, _ owner: Int32) {
        if begins.last == begin {
            owners[owners.count - 1] = owner
        } else if owners.last != owner {
            begins.append(begin)
            owners.append(owner)
        }
    }

    /// The owner of an address; nil when no range contains the address.
    func owner(at address: UInt64) -> Int? {
        let next = begins.partitioningIndex { $0 > address }
        guard next > 0, owners[next - 1] >= 0 else { return nil }
        return Int(owners[next - 1])
    }
}
