/// A bounded list of the most important elements. When it is full, about the lighter half is removed.
struct WeightedList<Element> {
    private(set) var elements: [Element] = []
    private var weights: [Int64] = []
    /// Lighter elements are not added. It increases each time the list is full.
    private var threshold: Int64 = 0
    private(set) var omittedCount = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(2, limit) }

    /// Adds an element, unless it is too light.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - weight: see ``TimelineWeight``.
    ///   - omit: called with each element that is not added or is removed.
    /// - Complexity: amortized O(1).
    mutating func append(_ element: Element, weight: Int64, omit: (Element) -> Void = { _ in }) {
        guard weight >= threshold else {
            omittedCount += 1
            return omit(element)
        }
        elements.append(element)
        weights.append(weight)
        if elements.count >= limit { thin(omit: omit) }
    }

    /// Removes the lighter half, and every second element at the weight limit.
    mutating func thin(omit: (Element) -> Void = { _ in }) {
        threshold = TimelineWeight.quantile(0.5, ofCount: weights.count) { weights[$0] }
        var kept: [Element] = []
        var keptWeights: [Int64] = []
        var ties = 0
        for (element, weight) in zip(elements, weights) {
            if weight == threshold { ties += 1 }
            if weight > threshold || (weight == threshold && ties % 2 == 0) {
                kept.append(element)
                keptWeights.append(weight)
            } else {
                omittedCount += 1
                omit(element)
            }
        }
        (elements, weights) = (kept, keptWeights)
    }
}
