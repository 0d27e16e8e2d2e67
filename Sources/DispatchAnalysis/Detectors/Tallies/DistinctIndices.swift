import DispatchModel

/// An index that counts up from 0 without gaps, so that a set of them can be a row of bits.
protocol DenseIndex: Hashable {
    var position: Int { get }
}

extension QueueIndex: DenseIndex {}
extension ThreadIndex: DenseIndex {}
extension CodeIndex: DenseIndex {}

/// The distinct indices of a sequence in the order of their first occurrence: a bit each, no hashing, as every item adds
/// to several of these.
struct DistinctIndices<Index: DenseIndex> {
    /// So few of them are found without bits: there are as many sets as there are hand-offs, and bits for a thousand
    /// threads in each would cost more than everything else.
    private static var fewest: Int { 8 }

    private(set) var elements: [Index] = []
    private var members: [UInt64] = []
    /// The same index often comes again and again.
    private var last = -1

    var count: Int { elements.count }

    @inline(__always)
    mutating func insert(_ index: Index) {
        guard index.position != last else { return }
        last = index.position
        let word = index.position / 64
        let bit = UInt64(1) << UInt64(index.position % 64)
        if word < members.count, members[word] & bit != 0 { return }
        add(index)
    }

    @inline(never)
    private mutating func add(_ index: Index) {
        if members.isEmpty {
            if elements.contains(index) { return }
            elements.append(index)
            if elements.count > Self.fewest { for element in elements { addBit(of: element) } }
        } else {
            elements.append(index)
            addBit(of: index)
        }
    }

    private mutating func addBit(of index: Index) {
        let word = index.position / 64
        if members.count <= word {
            members.append(contentsOf: repeatElement(0, count: word + 1 - members.count))
        }
        members[word] |= UInt64(1) << UInt64(index.position % 64)
    }
}
