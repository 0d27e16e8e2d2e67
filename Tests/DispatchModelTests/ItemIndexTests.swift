import Testing

@testable import DispatchModel

@Suite("ItemIndex")
struct ItemIndexTests {
    /// Ids as recorders create them: addresses of blocks, numbers, a thread and a number, and other addresses.
    private static let ids: [(String, @Sendable (UInt64) -> UInt64)] = [
        ("addresses", { 0x7f80_1a09_a000 + $0 * 32 }), ("falling addresses", { 0x7f80_1a09_a000 - $0 * 32 }),
        ("numbers", { $0 }), ("threads and numbers", { ($0 % 7) << 32 | $0 / 7 }),
        ("a stack", { 0x7ffd_0000_1008 + $0 * 48 }), ("far apart", { 0x5555_0000_0000 + $0 << 20 }),
        ("just below addresses", { (1 << 44) - 500 + $0 }), ("a late thread's numbers", { 0x1234_0000_0000 + $0 }),
    ]

    @Test("finds each open item by its id, and no other", arguments: ids.indices)
    func finds(kind: Int) {
        let id = Self.ids[kind].1
        var items = RowTable<OpenItem>()
        var index = ItemIndex()
        for number in 0..<5_000 {
            items.append(OpenItem())
            items[number].id = id(UInt64(number))
            index.insert(number, in: items)
            items[number].hasID = true
        }
        for number in stride(from: 0, to: 5_000, by: 3) {
            items[number].hasID = false
            index.remove(number, in: items)
        }
        for number in 0..<5_000 {
            #expect(index.slot(of: id(UInt64(number)), in: items) == (number % 3 == 0 ? -1 : number))
        }
    }
}
