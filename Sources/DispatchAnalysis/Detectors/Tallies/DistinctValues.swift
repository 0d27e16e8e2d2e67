/// The distinct values of a sequence, in the order of their first occurrence.
struct DistinctValues<Value: Hashable> {
    private(set) var elements: [Value] = []
    private var members: Set<Value> = []

    var count: Int { elements.count }

    init() {}

    init(_ values: some Sequence<Value>) { for value in values { insert(value) } }

    mutating func insert(_ value: Value) {
        if members.insert(value).inserted { elements.append(value) }
    }
}
