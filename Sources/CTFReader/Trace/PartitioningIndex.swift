extension RandomAccessCollection {
    /// Returns the first index whose element satisfies a condition, by binary search. The semantics match
    /// swift-algorithms.
    ///
    /// - Parameter belongsInSecondPartition: the condition, false up to some element and true for all later elements.
    /// - Returns: the index; `endIndex` when no element satisfies the condition.
    /// - Complexity: O(log *n*).
    @inlinable
    package func partitioningIndex(where belongsInSecondPartition: (Element) throws -> Bool) rethrows -> Index {
        var first = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(first, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                count = half
            } else {
                first = index(after: middle)
                count -= half + 1
            }
        }
        return first
    }
}
