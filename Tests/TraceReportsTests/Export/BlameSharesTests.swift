import Testing

@testable import DispatchAnalysis
@testable import DispatchModel
@testable import TraceExports

@Suite struct BlameSharesTests {
    private let waiter = CodeIndex(1)

    private func matrix(_ times: [Int64], _ cause: WaitObject = .queue) -> BlameMatrix {
        BlameMatrix(
            times.enumerated().map { position, time in
                BlameMatrix.Cell(
                    waiter: waiter, blamed: CodeIndex(position + 2), cause: cause, queue: nil, time: Nanoseconds(time),
                    count: 1)
            })
    }

    private func shares(_ time: Int64, _ cause: WaitTally.Cause, of matrix: BlameMatrix) -> [Int64] {
        BlameShares(matrix).shares(of: Nanoseconds(time), WaitTally.Key(code: waiter, queue: nil, cause: cause))
            .map(\.time.count)
    }

    @Test("The parts sum exactly to the wait")
    func sums() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let times = (0..<Int.random(in: 1...7, using: &random)).map { _ in Int64.random(in: 1...9_999_999) }
            let time = Int64.random(in: 0...99_999_999)
            for (cause, name) in [
                (WaitObject.queue, WaitTally.Cause.part(.hierarchy)), (.semaphore, .object(.semaphore)),
                (.lock, .object(.lock)),
            ] {
                #expect(
                    shares(time, name, of: matrix(times, cause)).reduce(0, +) == time, "\(times) of \(time), \(name)")
            }
        }
    }

    @Test("The parts are proportional to the time for which each code blocked the waiter")
    func proportions() {
        #expect(shares(200, .part(.ownBacklog), of: matrix([300, 100])) == [150, 50])
    }

    @Test("A semaphore wait without a signal has no cause in code")
    func rest() {
        let shares = BlameShares(matrix([60], .semaphore))
            .shares(of: Nanoseconds(100), WaitTally.Key(code: waiter, queue: nil, cause: .object(.semaphore)))
        #expect(shares.map(\.blamed) == [CodeIndex(2), .unknown])
        #expect(shares.map(\.time.count) == [60, 40])
    }

    @Test("Waits for a worker, and code without recorded causes, have no cause in code either")
    func nobody() {
        #expect(
            BlameShares(matrix([60]))
                .shares(of: Nanoseconds(5), WaitTally.Key(code: waiter, queue: nil, cause: .part(.pool)))
                .map(\.blamed) == [.unknown])
        #expect(shares(5, .object(.semaphore), of: matrix([60])) == [5])
    }
}
