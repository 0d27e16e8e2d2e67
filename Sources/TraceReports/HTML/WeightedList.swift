/// A bounded list of what matters most: when it is full, about the lighter half goes.
struct WeightedList<Element> {
    private(set) var elements: [Element] = []
    private var weights: [Int64] = []
    /// Nothing lighter is taken in; rises each time the list is full.
    private var threshold: Int64 = 0
    private(set) var leftOut = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(2, limit) }

    /// Takes an element in, unless it is too light.
    ///
    /// - Parameters:
    ///   - element: the new one.
    ///   - weight: see ``TimelineWeight``.
    ///   - leaveOut: told every element that is not, or no longer, in the list.
    /// - Complexity: amortised O(1).
    mutating func append(_ element: Element, weight: Int64, leaveOut: (Element) -> Void = { _ in }) {
        guard weight >= threshold else {
            leftOut += 1
            return leaveOut(element)
        }
        elements.append(element)
        weights.append(weight)
        if elements.count >= limit { thin(leaveOut: leaveOut) }
    }

    /// Leaves out the lighter half, and of those at its edge every second one.
    mutating func thin(leaveOut: (Element) -> Void = { _ in }) {
        threshold = TimelineWeight.quantile(0.5, of: weights)
        var kept: [Element] = []
        var keptWeights: [Int64] = []
        var ties = 0
        for (element, weight) in zip(elements, weights) {
            if weight == threshold { ties += 1 }
            if weight > threshold || (weight == threshold && ties % 2 == 0) {
                kept.append(element)
                keptWeights.append(weight)
            } else {
                leftOut += 1
                leaveOut(element)
            }
        }
        (elements, weights) = (kept, keptWeights)
    }
}
