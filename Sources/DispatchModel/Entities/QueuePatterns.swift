/// The label patterns of all queues, stored as one number per queue. Nearly all queues of 100,000 connections share one
/// pattern.
public struct QueuePatterns: Sendable {
    /// The distinct patterns, in the order of their first queue. Queues without a name have the empty pattern.
    public private(set) var patterns: [String] = []
    /// Position of the pattern, by position of the queue.
    private var numbers: [Int32] = []
    /// Number of queues with a pattern, by position of the pattern.
    private var sizes: [Int32] = []

    init(of queues: [Queue]) {
        var known: [String: Int32] = [:]
        numbers.reserveCapacity(queues.count)
        for queue in queues {
            let pattern = LabelPattern.of(queue.name)
            let number = known[pattern] ?? Int32(patterns.count)
            if number == patterns.count {
                known[pattern] = number
                patterns.append(pattern)
                sizes.append(0)
            }
            numbers.append(number)
            sizes[Int(number)] += 1
        }
    }

    /// Number of queues that the patterns were computed for.
    var count: Int { numbers.count }

    /// The position in ``patterns`` of the pattern of a queue.
    public func number(of queue: QueueIndex) -> Int { Int(numbers[queue.position]) }

    /// Whether another queue has the same pattern.
    public func isShared(_ queue: QueueIndex) -> Bool { sizes[number(of: queue)] > 1 }

    /// The pattern of the name of a queue.
    public subscript(queue: QueueIndex) -> String { patterns[number(of: queue)] }
}
