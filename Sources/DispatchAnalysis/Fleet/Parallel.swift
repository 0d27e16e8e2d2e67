import CTFReader
import Dispatch
import Synchronization

/// Parallel loops on all processors.
enum Parallel {
    /// Returns the results of `body` for all elements, in the order of the elements.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - progress: called occasionally, one call at a time, with the completed share from 0 to 1.
    ///   - body: processes one element, and reports its own completed share. Called concurrently from several threads.
    /// - Throws: the error of the first element for which `body` throws.
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

    /// Returns the results of two independent functions.
    ///
    /// - Parameters:
    ///   - first: computes the first result.
    ///   - second: computes the second result, possibly on another thread at the same time.
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

    /// Returns rows that are independent of each other, in order.
    ///
    /// - Parameters:
    ///   - count: the number of rows.
    ///   - body: creates the row at a position. Called concurrently from several threads if there are many rows.
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

    /// Rows per chunk. A smaller chunk is not worth another thread.
    private static let rowsAtATime = 4_096

    /// The completed share of each element.
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
