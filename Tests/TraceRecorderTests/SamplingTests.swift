import Foundation
import TestSupport
import Testing

@Suite("The sampling of items")
struct SamplingTests {
    @Test("records one of each stratum of a thread, and both kinds of an alternating program", arguments: [4, 64])
    func strata(stride: Int) throws {
        let directory = TemporaryDirectory()
        let (threads, items) = (8, 64_000)
        let result = try Program.probe.scenario(
            "item-sampling", directory.appending("trace"), "\(threads)", "\(items)", "\(stride)")
        #expect(result.status == 0)
        let counts = counts(in: result.output)
        let expected = threads * items / stride
        // Until its first event a thread has no strata, and decides for each item at random.
        #expect(try #require(counts["deviation"]) <= 25)
        let (first, second) = (try #require(counts["first"]), try #require(counts["second"]))
        #expect(abs(first + second - expected) <= 25 * threads)
        // Five standard deviations of the number of a kind.
        #expect(abs(first - second) <= Int(5 * Double(expected).squareRoot()))
        let begins = try RecordedTrace(directory.appending("trace")).lines(named: ["callout_begin"]).count
        #expect(begins == first + second)
    }

    @Test(
        "The number of a task decides: a larger stride records a part of the tasks, and the first task always",
        arguments: [
            (1, "1 2 3 4 5 6 7 8 steps 0"), (8, "1 17 19 23 24 25 36 39 41 46 50 52 56 72 81 94 steps 16"),
            (32, "1 25 39 46 52 72 steps 6"),
        ])
    func tasks(stride: Int, recorded: String) throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario(
            "task-sampling", directory.appending("trace"), "\(stride)", stride == 1 ? "8" : "100")
        #expect(result.output.split(whereSeparator: \.isNewline).first.map(String.init) == recorded)
    }

    private func strides(ppm: Int, process: Int, other: Int = 0, _ items: [Int]) throws -> [Int] {
        let words = ["budget"] + ([ppm, process, other] + items).map { "\($0)" }
        let result = try Program.probe.run(words)
        return result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }

    @Test("is increased until the cost of the recorder is within the budget, at most sixteenfold in a period")
    func increases() throws {
        #expect(try strides(ppm: 10_000, process: 1_000, [9]) == [1])
        #expect(try strides(ppm: 10_000, process: 1_000, [11]) == [2])
        #expect(try strides(ppm: 10_000, process: 1_000, [70]) == [8])
        #expect(try strides(ppm: 10_000, process: 1_000, [400, 400, 400]) == [16, 64, 64])
        #expect(try strides(ppm: 50_000, process: 200, [40]) == [4])
    }

    @Test("is decreased after three periods in which twice the cost would be within the budget")
    func decreases() throws {
        let items = [400, 400] + Array(repeating: 100, count: 9)
        #expect(try strides(ppm: 10_000, process: 1_000, items) == [16, 64, 64, 64, 32, 32, 32, 16, 16, 16, 16])
        // A cost that varies by less than a factor of two does not change it.
        #expect(try strides(ppm: 10_000, process: 1_000, [40, 35, 20, 35, 20, 35, 20]) == [4, 4, 4, 4, 4, 4, 4])
    }

    @Test("leaves a quarter of the budget to the items when the rest of the recorder exceeds the budget")
    func otherCosts() throws {
        #expect(try strides(ppm: 10_000, process: 1_000, other: 30, [40, 40]) == [16, 16])
        // Items that became few are not sampled more than necessary.
        let items = [40] + Array(repeating: 4, count: 8)
        #expect(try strides(ppm: 10_000, process: 1_000, other: 30, items) == [16, 16, 16, 8, 8, 8, 4, 4, 4])
    }

    @Test("does not count the wake-ups of the recorder in a process that does nearly nothing")
    func idle() throws {
        #expect(try strides(ppm: 10_000, process: 20, [1, 1, 1, 1]) == [1, 1, 1, 1])
    }
}
