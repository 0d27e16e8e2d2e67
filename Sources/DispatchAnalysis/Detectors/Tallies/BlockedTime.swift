import DispatchModel

/// How long items were blocked in the syncs that they made: the time for which they kept a thread, but no processor.
///
/// ```
///   item     ├────────────────────────────┤   blocked: both waits
///   sync 1       ╰─wait─┤├──────────────┤
///   sync 2                  ╰─wait─┤├──┤
/// ```
///
/// A sync is observed before the item that made it, as it ends first, so only open items take memory.
struct BlockedTime {
    /// What the syncs of an item cost.
    struct Cost {
        /// How long it waited.
        var blocked = Nanoseconds.zero
        /// How much of that went into waking it, after the queue was given back.
        var waking = Nanoseconds.zero
    }
    private struct Entry {
        let item: ItemNumber
        var cost: Cost
    }

    /// By position of the thread: the open items with waits, the outermost first.
    private var entries: [[Entry]] = []
    /// How many there are.
    private var count = 0

    /// Nothing is known of open items: as long as no item with the trait `nested` comes, and no hand-off, none of them
    /// was blocked.
    var isEmpty: Bool { count == 0 }

    /// Takes in a hand-off to a sync that begins.
    mutating func observe(_ handoff: Handoff) {
        guard let released = handoff.releasedAt else { return }
        let waking = max(.zero, handoff.grantedAt - released)
        add(Cost(waking: waking), to: handoff.item, on: handoff.to)
    }

    /// Takes in an item that ended.
    ///
    /// - Returns: what the syncs that it made cost it.
    @inline(__always)
    mutating func observe(_ item: ItemRow) -> Cost {
        isEmpty && !item.traits.contains(.nested) ? Cost() : takeIn(item)
    }

    private mutating func takeIn(_ item: ItemRow) -> Cost {
        var cost = take(item)
        let own = cost
        if item.isSync, let parent = item.parent, let caller = item.enqueuedOn {
            cost.blocked += (caller == item.thread ? item.beganAt : item.endedAt) - item.enqueuedAt
            if cost.blocked > .zero { add(cost, to: parent, on: caller) }
        }
        return own
    }

    private mutating func take(_ item: ItemRow) -> Cost {
        let thread = item.thread.position
        // What lies within this item is over: entries that are left there lost their end.
        guard thread < entries.count,
            let position = entries[thread].lastIndex(where: { $0.item == item.number })
        else { return Cost() }
        let cost = entries[thread][position].cost
        count -= entries[thread].count - position
        entries[thread].removeSubrange(position...)
        return cost
    }

    private mutating func add(_ cost: Cost, to item: ItemNumber, on thread: ThreadIndex) {
        while entries.count <= thread.position { entries.append([]) }
        if let position = entries[thread.position].lastIndex(where: { $0.item == item }) {
            entries[thread.position][position].cost.blocked += cost.blocked
            entries[thread.position][position].cost.waking += cost.waking
        } else {
            entries[thread.position].append(Entry(item: item, cost: cost))
            count += 1
        }
    }
}
