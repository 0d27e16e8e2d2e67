import DispatchModel

/// The few costliest of many cases: what a finding shows as proof, in bounded memory.
struct Costliest<Case> {
    /// Enough to see a pattern, few enough to read.
    private static var limit: Int { 12 }

    private var cases: [(cost: Nanoseconds, value: Case)] = []
    /// What a case has to cost more than.
    private var least = Nanoseconds(.min)

    /// The costliest first; of equal ones the earlier.
    var elements: [Case] { cases.map(\.value) }

    /// Takes in a case. Complexity: O(1) for all but the costliest.
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
