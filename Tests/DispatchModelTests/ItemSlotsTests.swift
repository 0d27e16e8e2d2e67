import Testing

@testable import DispatchModel

@Suite("ItemSlots")
struct ItemSlotsTests {
    @Test("An item that waits takes two cache lines")
    func isSmall() { #expect(MemoryLayout<OpenItem>.stride == 128) }

    @Test("A rest is as new, whoever had it before")
    func renewsRests() {
        var items = ItemSlots()
        let first = items.take(kind: .sync, queue: QueueIndex(3), at: 10)
        items.giveDetails(to: first)
        items[first].hadToWait = true
        items[first].parts.pool += .microseconds(1)
        items[first].dueAt = 5
        items.recycle(first)

        let waiting = items.take(kind: .async, queue: QueueIndex(4), at: 20)
        #expect(waiting == first)
        #expect(!items[waiting].hasOwnDetails && !items[waiting].hadToWait && items[waiting].dueAt == -1)
        items.giveDetails(to: waiting)
        #expect(items[waiting].hasOwnDetails && !items[waiting].hadToWait && items[waiting].dueAt == -1)
        #expect(items[waiting].parts.total == .zero && items[waiting].settledAt == 20)
    }

    @Test("Items keep their rests while others come and go")
    func keepsRests() {
        var items = ItemSlots()
        let slots = (0..<1_000).map { items.take(kind: .async, queue: QueueIndex(0), at: Int64($0)) }
        for slot in slots.reversed() {
            items.giveDetails(to: slot)
            items[slot].beganAt = Int64(slot.position)
        }
        for slot in slots where slot.position % 3 == 0 { items.recycle(slot) }
        let later = (0..<500).map { _ in items.take(kind: .sync, queue: QueueIndex(1), at: 0) }
        for slot in later {
            items.giveDetails(to: slot)
            items[slot].beganAt = -1
        }
        #expect(slots.allSatisfy { $0.position % 3 == 0 || items[$0].beganAt == Int64($0.position) })
    }

    @Test("The root of a chain is the item itself until it has joined one")
    func joins() {
        var items = ItemSlots()
        let root = items.take(kind: .async, queue: QueueIndex(7), at: 0)
        let child = items.take(kind: .async, queue: QueueIndex(8), at: 0)
        let grandchild = items.take(kind: .async, queue: QueueIndex(9), at: 0)
        #expect(items[child].operation == items[child].number)
        for (item, parent) in [(child, root), (grandchild, child)] {
            items.giveDetails(to: parent)
            items.join(item, to: parent)
        }
        #expect(items[grandchild].operation == items[root].number && items[grandchild].hops == 2)
        #expect(items[grandchild].parent == items[child].number && items[grandchild].parentQueue == QueueIndex(8))
    }

    @Test("Asyncs of one item share what there is to tell of it, whoever of them goes first")
    func sharesRests() {
        var items = ItemSlots()
        for round in 0..<50 {
            let parent = items.take(kind: .async, queue: QueueIndex(7), at: 0)
            items.giveDetails(to: parent)
            let (number, operation) = (items[parent].number, items[parent].operation)
            let kinds: [ItemKind] = [.async, .async, .sync, .async, .after, .async, .async]
            let children = kinds.map { kind in
                let child = items.take(kind: kind, queue: QueueIndex(8), at: 5)
                items.join(child, to: parent)
                return child
            }
            // Only the first child and the sync have details of their own.
            #expect(children.filter { items[$0].hasOwnDetails }.count == 2)
            if round % 2 == 0 { items.recycle(parent) }
            for (place, child) in children.enumerated() {
                #expect(items[child].parent == number && items[child].operation == operation)
                #expect(items[child].parentQueue == QueueIndex(7) && items[child].hops == 1 && !items[child].hadToWait)
                if place % 3 > 0 {
                    items.giveDetails(to: child)
                    items[child].hadToWait = true
                    #expect(items[child].parent == number && items[child].settledAt == 5)
                }
                items.recycle(child)
            }
            if round % 2 == 1 { items.recycle(parent) }
        }
        // Released slots are reused.
        #expect(items.indices.count == 8)
    }
}
