import Dispatch

/// Queues that a large program has beside those with the problem. Each was used once, and is idle.
enum OtherQueues {
    // Written before the scenario begins, never read: the queues live as long as the process.
    nonisolated(unsafe) private static var queues: [DispatchQueue] = []

    /// Makes this many, which target one queue for each hundred, as the queues of one library do.
    static func make(_ count: Int) {
        var root: DispatchQueue?
        for number in 0..<count {
            if number % 100 == 0 { root = DispatchQueue(label: "org.example.library-\(number / 100)") }
            let queue = DispatchQueue(label: "org.example.library-\(number / 100).object-\(number % 100)", target: root)
            queue.sync {}
            queues.append(queue)
        }
    }
}
