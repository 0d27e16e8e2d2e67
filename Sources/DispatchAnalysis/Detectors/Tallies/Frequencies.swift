/// Counts values, with a limit on the number of distinct values.
struct Frequencies<Value: Hashable> {
    /// Most distinct values counted. Findings show only three.
    private static var limit: Int { 1024 }

    private var counts: [Value: Int] = [:]
    private var lastValue: Value?
    private var lastCount = 0

    mutating func add(_ value: Value, count: Int = 1) {
        if lastValue == value {
            lastCount += count
            return
        }
        settle()
        lastValue = value
        lastCount = count
    }

    private mutating func settle() {
        guard let lastValue else { return }
        if counts[lastValue] != nil || counts.count < Self.limit { counts[lastValue, default: 0] += lastCount }
        lastCount = 0
    }

    /// Adds the counts of another instance.
    mutating func merge(_ other: Self) {
        settle()
        var other = other
        other.settle()
        for (value, count) in other.counts where counts[value] != nil || counts.count < Self.limit {
            counts[value, default: 0] += count
        }
    }

    /// The most frequent values in descending order. Equally frequent values are in ascending order.
    func mostFrequent(_ number: Int) -> [Value] where Value: Comparable { counted().prefix(number).map(\.value) }

    /// All values with their counts, in descending order of the count. Equally frequent values are in ascending order.
    func counted() -> [(value: Value, count: Int)] where Value: Comparable {
        var all = self
        all.settle()
        return all.counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .map { (value: $0.key, count: $0.value) }
    }
}
