import DispatchAnalysis
import DispatchModel

/// Distributes a wait over the code that was waited for.
struct BlameShares {
    private struct Key: Hashable {
        let waiter: CodeIndex
        let cause: WaitObject
    }

    private var pairs: [Key: [(blamed: CodeIndex, time: Nanoseconds)]] = [:]

    init(_ matrix: BlameMatrix) {
        for cell in matrix.cells {
            pairs[Key(waiter: cell.waiter, cause: cell.cause), default: []].append((cell.blamed, cell.time))
        }
    }

    /// Splits a time into parts that sum to it exactly. The part of unknown code is time that no code caused.
    ///
    /// - Parameters:
    ///   - time: the sum of the waits.
    ///   - wait: the code that waited, and the cause of the wait.
    /// - Returns: the code that was waited for with its part; at least one element.
    func shares(of time: Nanoseconds, _ wait: WaitTally.Key) -> [(blamed: CodeIndex, time: Nanoseconds)] {
        guard let cause = Self.cause(wait.cause), let known = pairs[Key(waiter: wait.code, cause: cause)] else {
            return [(.unknown, time)]
        }
        let total = known.reduce(Nanoseconds.zero) { $0 + $1.time }
        // The recorded signals can cover less than the wait. For a queue, items of several queues can wait for the same
        // code, so the matrix total is the whole.
        let whole = cause == .queue ? total : max(total, time)
        var shares = known.map {
            ($0.blamed, Nanoseconds(Int64(Double(time.count) * (Double($0.time.count) / Double(max(1, whole.count))))))
        }
        let rest = time - shares.reduce(.zero) { $0 + $1.1 }
        if cause == .queue { shares[0].1 += rest } else if rest > .zero { shares.append((.unknown, rest)) }
        return shares
    }

    /// Nil for parts of a wait that no code causes.
    private static func cause(_ cause: WaitTally.Cause) -> WaitObject? {
        switch cause {
        case .part(.ownBacklog), .part(.hierarchy), .part(.barrier): .queue
        case .part, .object(.queue): nil
        case .object(let object): object
        }
    }
}
