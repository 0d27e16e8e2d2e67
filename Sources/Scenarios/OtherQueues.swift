import Dispatch

/// The queues of a large program in addition to the queues with the problem. Each was used once and is idle.
enum OtherQueues {
    // Written before the scenario begins and never read: the queues exist as long as the process.
    nonisolated(unsafe) private static var queues: [DispatchQueue] = []

    /// Creates `count` queues. Every hundred of them target one queue, as in a library.
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
