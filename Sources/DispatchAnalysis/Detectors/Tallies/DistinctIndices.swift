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
    private(set) var elements: [Index] = []
    private var members: [UInt64] = []
    /// The same index often comes again and again.
    private var last: Index?

    var count: Int { elements.count }

    @inline(__always)
    mutating func insert(_ index: Index) {
        guard index != last else { return }
        last = index
        let word = index.position / 64
        let bit = UInt64(1) << UInt64(index.position % 64)
        if word < members.count, members[word] & bit != 0 { return }
        add(index, word: word, bit: bit)
    }

    @inline(never)
    private mutating func add(_ index: Index, word: Int, bit: UInt64) {
        while members.count <= word { members.append(0) }
        members[word] |= bit
        elements.append(index)
    }
}
