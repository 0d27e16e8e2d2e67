extension RandomAccessCollection {
    /// The first position from which on a condition holds, found by binary search: as swift-algorithms has it.
    ///
    /// - Parameter belongsInSecondPartition: false up to some element, and true for all behind it.
    /// - Returns: the position; `endIndex` where it holds nowhere.
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
