/// The patterns of the names of all queues, each as a number: nearly all queues of 100,000 connections share one.
public struct QueuePatterns: Sendable {
    /// The different patterns, in the order of their first queue; empty for queues without a name.
    public private(set) var patterns: [String] = []
    /// By position of the queue.
    private var numbers: [Int32] = []
    /// By position of the pattern: how many queues have it.
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

    /// For how many queues it was made.
    var count: Int { numbers.count }

    /// The position in ``patterns`` of the pattern of a queue's name.
    public func number(of queue: QueueIndex) -> Int { Int(numbers[queue.position]) }

    /// Whether other queues' names have the same pattern.
    public func isShared(_ queue: QueueIndex) -> Bool { sizes[number(of: queue)] > 1 }

    /// The pattern of a queue's name.
    public subscript(queue: QueueIndex) -> String { patterns[number(of: queue)] }
}
