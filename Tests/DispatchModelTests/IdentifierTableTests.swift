import Testing
import TraceBuilder

@testable import DispatchModel

@Suite struct IdentifierTableTests {
    @Test("The table agrees with a dictionary under random insertions and removals", arguments: 1...10)
    func agreesWithDictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = IdentifierTable()
        var dictionary: [UInt64: Int] = [:]
        // Addresses in a few pages and small numbers: few distinct ids with overlapping probe sequences.
        let pages = (0..<6).map { _ in UInt64.random(in: 0..<1 << 36, using: &random) << 12 } + [0]
        let ids = pages.flatMap { page in (0..<100).map { page | (page == 0 ? $0 : $0 << 4) } }
        for step in 0..<20_000 {
            let id = ids.randomElement(using: &random)!
            if Bool.random(using: &random) {
                table.insert(id, step)
                dictionary[id] = step
            } else {
                #expect(table.remove(id) == dictionary.removeValue(forKey: id))
            }
        }
        #expect(table.count == dictionary.count)
        for id in ids { #expect(table[id] == dictionary[id]) }
    }

    @Test("The id that marks empty places is never found")
    func reservedIdentifier() {
        var table = IdentifierTable()
        table.insert(.max, 1)
        #expect(table[.max] == nil)
        #expect(table.remove(.max) == nil)
    }
}
