import Testing

@testable import DispatchAnalysis

@Suite struct RankTestTests {
    private func numbers(_ range: Range<Int>) -> [Double] { range.map(Double.init) }

    @Test("Disjoint samples differ with certainty, and all pairs have one direction")
    func separate() {
        let test = RankTest(numbers(0..<20), numbers(100..<120))
        #expect(test.delta == 1)
        // R: wilcox.test(0:19, 100:119, exact = FALSE) gives 6.796e-08.
        #expect(abs(test.probability - 6.796e-8) < 1e-10)
        #expect(RankTest(numbers(100..<120), numbers(0..<20)).delta == -1)
    }

    @Test("Equal samples do not differ")
    func equal() {
        let test = RankTest(numbers(0..<20), numbers(0..<20))
        #expect(test.delta == 0)
        #expect(test.probability > 0.98)
        let constant = RankTest([5, 5, 5], [5, 5, 5])
        #expect(constant.probability == 1)
        #expect(constant.delta == 0)
        #expect(RankTest([], [1]).probability == 1)
    }

    @Test("One extreme value does not make a difference")
    func robust() {
        var other = numbers(0..<20)
        other[19] = 1e12
        #expect(RankTest(numbers(0..<20), other).probability > 0.9)
    }

    @Test("Holm's correction multiplies the smallest probability by the number of tests, and keeps the order")
    func corrects() {
        let corrected = RankTest.corrected([0.04, 0.001, 0.03])
        #expect(abs(corrected[1] - 0.003) < 1e-12)
        #expect(abs(corrected[2] - 0.06) < 1e-12)
        #expect(abs(corrected[0] - 0.06) < 1e-12)
        #expect(RankTest.corrected([0.9, 0.8]) == [1, 1])
        #expect(RankTest.corrected([]) == [])
    }
}
