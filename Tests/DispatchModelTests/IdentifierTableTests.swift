import Testing
import TraceBuilder

@testable import DispatchModel

@Suite struct IdentifierTableTests {
    @Test("The table agrees with a dictionary under random insertions and removals", arguments: 1...10)
    func agreesWithDictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = IdentifierTable()
        var dictionary: [UInt64: Int] = [:]
        for step in 0..<20_000 {
            // Few distinct ids, with the regular gaps of addresses, so that probes run into each other.
            let id = UInt64.random(in: 0..<600, using: &random) << 4
            if Bool.random(using: &random) {
                table.insert(id, step)
                dictionary[id] = step
            } else {
                #expect(table.remove(id) == dictionary.removeValue(forKey: id))
            }
        }
        #expect(table.count == dictionary.count)
        for id in 0..<UInt64(600) { #expect(table[id << 4] == dictionary[id << 4]) }
    }

    @Test("The id that marks empty places is never found")
    func reservedIdentifier() {
        var table = IdentifierTable()
        table.insert(.max, 1)
        #expect(table[.max] == nil)
        #expect(table.remove(.max) == nil)
    }
}
