import DispatchModel

/// An index that counts up from 0 without gaps, so a set of such indices can be a bitmap.
protocol DenseIndex: Hashable {
    var position: Int { get }
}

extension QueueIndex: DenseIndex {}
extension ThreadIndex: DenseIndex {}
extension CodeIndex: DenseIndex {}

/// The distinct indices of a sequence, in the order of their first occurrence. It uses one bit per index and no
/// hashing, because every item adds to several of these sets.
struct DistinctIndices<Index: DenseIndex> {
    /// Sets of at most this size have no bitmap: there is one set per hand-off, and bitmaps for a thousand threads
    /// would dominate the memory.
    private static var fewest: Int { 8 }

    private(set) var elements: [Index] = []
    private var members: [UInt64] = []
    /// The last inserted index: the same index is often inserted repeatedly.
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
