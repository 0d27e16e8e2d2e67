import Testing

@testable import DispatchAnalysis

@Suite("Groups of cases")
struct FindingGroupsTests {
    @Test("Groups keep the order of their first case")
    func order() {
        var groups = FindingGroups<String, [Int]>()
        for (number, key) in ["b", "a", "b", "c", "a"].enumerated() { groups[key, default: []].append(number) }
        #expect(groups.groups == [[0, 2], [1, 4], [3]])
        #expect(groups.contains("c") && !groups.contains("d"))
        #expect(groups["d", default: [9]] == [9] && groups.groups.count == 3)
    }
}
