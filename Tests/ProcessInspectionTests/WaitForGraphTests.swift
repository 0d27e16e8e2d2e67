import Testing

@testable import ProcessInspection

@Suite("Wait-for graph")
struct WaitForGraphTests {
    private func cycles(_ edges: [(Int32, Int32)]) -> [[WaitForGraph.Party]] {
        var graph = WaitForGraph()
        for (waiter, owner) in edges { graph.add(.thread(waiter), waitsFor: .thread(owner)) }
        return graph.cycles
    }

    @Test("A chain has no cycle")
    func chain() { #expect(cycles([(1, 2), (2, 3), (4, 3)]).isEmpty) }

    @Test("A cycle begins with its smallest member, without the threads that wait for it")
    func tail() {
        #expect(cycles([(1, 9), (9, 5), (5, 7), (7, 9)]) == [[.thread(5), .thread(7), .thread(9)]])
    }

    @Test("A thread that waits for itself is a cycle")
    func itself() { #expect(cycles([(3, 3), (4, 3)]) == [[.thread(3)]]) }

    @Test("Two cycles are both found")
    func two() {
        #expect(cycles([(1, 2), (2, 1), (3, 4), (4, 3)]) == [[.thread(1), .thread(2)], [.thread(3), .thread(4)]])
    }

    @Test("A long chain is no recursion")
    func long() { #expect(cycles((1..<200_000).map { ($0, $0 + 1) }).isEmpty) }
}
