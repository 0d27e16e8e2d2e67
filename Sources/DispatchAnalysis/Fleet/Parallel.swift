import CTFReader
import Dispatch
import Synchronization

/// Does the same for many on all processors.
enum Parallel {
    /// The results for elements, in their order.
    ///
    /// - Parameters:
    ///   - elements: what to do it for.
    ///   - progress: called now and then, one call at a time, with the share done, from 0 to 1.
    ///   - body: does it for one, and tells its own share done. Called from several threads at once.
    /// - Throws: what `body` throws for the first element for which it does.
    static func map<Element, Value>(
        _ elements: [Element], progress: ((Double) -> Void)?,
        _ body: (Element, ((Double) -> Void)?) throws -> Value
    ) throws -> [Value] {
        let shares = Shares(count: elements.count)
        return try Array(elements.enumerated()).concurrentMap { index, element in
            let report = progress.map { progress in { share in shares.set(share, of: index, then: progress) } }
            return Result { try body(element, report) }
        }.map { try $0.get() }
    }

    /// Two results that have nothing to do with each other.
    ///
    /// - Parameters:
    ///   - first: makes one.
    ///   - second: makes the other one, maybe on another thread at the same time.
    static func both<First, Second>(_ first: () -> First, _ second: () -> Second) -> (First, Second) {
        var (one, other): (First?, Second?)
        withUnsafeMutablePointer(to: &one) { one in
            withUnsafeMutablePointer(to: &other) { other in
                nonisolated(unsafe) let (one, other, first, second) = (one, other, first, second)
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    if index == 0 { one.pointee = first() } else { other.pointee = second() }
                }
            }
        }
        return (one!, other!)
    }

    /// Many rows that are made one by one, in their order.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - body: makes the row at a position. Called from several threads at once, where there are many rows.
    static func rows<Row>(_ count: Int, _ body: (Int) -> Row) -> [Row] {
        guard count > 2 * rowsAtATime else { return (0..<count).map(body) }
        return Array(unsafeUninitializedCapacity: count) { rows, filled in
            nonisolated(unsafe) let (rows, body) = (rows, body)
            DispatchQueue.concurrentPerform(iterations: (count + rowsAtATime - 1) / rowsAtATime) { share in
                for row in share * rowsAtATime..<min(count, (share + 1) * rowsAtATime) {
                    rows.initializeElement(at: row, to: body(row))
                }
            }
            filled = count
        }
    }

    /// What is worth another thread.
    private static let rowsAtATime = 4_096

    /// How much of each is done.
    private final class Shares: Sendable {
        private let shares: Mutex<[Double]>

        init(count: Int) { shares = Mutex(Array(repeating: 0, count: count)) }

        func set(_ share: Double, of index: Int, then report: (Double) -> Void) {
            shares.withLock { shares in
                shares[index] = share
                report(min(1, shares.reduce(0, +) / Double(shares.count)))
            }
        }
    }
}
