import DispatchModel

/// The costliest of many cases, in bounded memory. A finding shows them as evidence.
struct CostliestCases<Case> {
    /// Enough to show a pattern, few enough to read.
    private static var limit: Int { 12 }

    private var cases: [(cost: Nanoseconds, value: Case)] = []
    /// A case is kept only if it costs more than this.
    private var least = Nanoseconds(.min)

    /// The cases in descending order of cost. Among equal costs, the earlier case is first.
    var elements: [Case] { cases.map(\.value) }

    /// Adds a case. Complexity: O(1) except for the costliest cases.
    @inline(__always)
    mutating func add(_ value: @autoclosure () -> Case, cost: Nanoseconds) {
        if cost > least { insert(value(), cost: cost) }
    }

    private mutating func insert(_ value: Case, cost: Nanoseconds) {
        let place = cases.firstIndex { $0.cost < cost } ?? cases.count
        cases.insert((cost, value), at: place)
        if cases.count > Self.limit { cases.removeLast() }
        if cases.count == Self.limit { least = cases[Self.limit - 1].cost }
    }
}
