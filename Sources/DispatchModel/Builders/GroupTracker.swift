/// Follows groups, as far as it takes to know when a notification is submitted: when its group becomes empty.
struct GroupTracker {
    private struct Group {
        var entered = 0
        /// Notifications, by item id, that wait for the group.
        var notifications: [UInt64] = []
    }

    private var groups: [UInt64: Group] = [:]

    /// A new group. Its id may have been that of one that is gone.
    mutating func create(_ group: UInt64) { groups[group] = nil }

    mutating func enter(_ group: UInt64) { groups[group, default: Group()].entered += 1 }

    mutating func leave(_ group: UInt64, at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        guard var known = groups[group] else { return }
        known.entered -= 1
        if known.entered <= 0 {
            for item in known.notifications { Self.submit(item, at: time, items: &items, in: &state) }
            // An empty group needs no memory; the program may make millions of them.
            groups[group] = nil
        } else {
            groups[group] = known
        }
    }

    mutating func notify(
        _ event: DispatchEvent.GroupNotify, at time: Int64, thread: Int, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        let queue = state.forest.queue(serial: event.queue)
        let slot = items.open(id: event.item, kind: .notify, queue: queue, at: time, in: &state)
        items.items[slot].code = state.codes.code(event.code).rawValue
        items.items[slot].enqueuedOn = Int32(thread)
        if let group = groups[event.group], group.entered > 0 {
            groups[event.group]?.notifications.append(event.item)
        } else {
            Self.submit(event.item, at: time, items: &items, in: &state)
        }
    }

    private static func submit(_ id: UInt64, at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        guard let slot = items.slot(of: id), items.items[slot].state == .announced, items.items[slot].kind == .notify
        else { return }
        items.submit(slot, at: time, in: &state)
    }
}
