/// Tracks groups: enters and leaves, and the submission of notifications, which happens when the group becomes empty.
struct GroupTracker: ~Copyable {
    private struct Members {
        var entered = 0
        /// Item ids of the notifications that wait for the group.
        var notifications: [UInt64] = []
    }

    /// Limit of the number of groups in the model, because programs can create a group per request.
    private static let limit = 100_000

    private var groups: [UInt64: Members] = [:]
    /// The later value of ``DispatchModel/groups``. Each access to the model, a class, costs more than the tracking
    /// itself.
    private(set) var entities: [Group] = []
    /// Positions in `entities`.
    private var ids = IdentifierTable()

    /// A new group, which can reuse the id of a released one.
    mutating func create(_ event: DispatchEvent.GroupCreate, at time: Int64, in state: inout ModelState) {
        groups[event.group] = nil
        let code = state.codes.code(event.code)
        let known = ids[event.group].flatMap { entities[$0].outstanding > 0 ? nil : $0 }
        add(event.group, replacing: known, code: code, isCreationKnown: true, at: time, in: &state)
    }

    @discardableResult
    private mutating func add(
        _ id: UInt64, replacing known: Int?, code: CodeIndex, isCreationKnown: Bool, at time: Int64,
        in state: inout ModelState
    ) -> Int? {
        let position = known ?? entities.count
        guard position < Self.limit else {
            state.model.omittedGroups += 1
            ids.remove(id)
            return nil
        }
        let group = Group(
            index: GroupIndex(position), id: id, creationCode: code, createdAt: Timestamp(nanoseconds: time),
            isCreationKnown: isCreationKnown)
        if known == nil { entities.append(group) } else { entities[position] = group }
        ids.insert(id, position)
        return position
    }

    private mutating func entity(_ id: UInt64, at time: Int64, in state: inout ModelState) -> Int? {
        if let known = ids[id] { return known }
        return add(id, replacing: nil, code: .unknown, isCreationKnown: false, at: time, in: &state)
    }

    mutating func enter(_ group: UInt64, at moment: Moment, in state: inout ModelState) {
        groups[group, default: Members()].entered += 1
        guard let entity = entity(group, at: moment.time, in: &state) else { return }
        entities[entity].enters += 1
        entities[entity].lastEnter = moment.timestamp
        entities[entity].lastEnteredOn = moment.thread
        state.threads[moment.thread].enteredGroup = GroupIndex(entity)
    }

    mutating func leave(_ group: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        if let entity = entity(group, at: moment.time, in: &state) {
            entities[entity].leaves += 1
            entities[entity].lastLeave = moment.timestamp
            entities[entity].lastLeftOn = moment.thread
            if groups[group] == nil { entities[entity].unmatchedLeaves += 1 }
        }
        guard var known = groups[group] else { return }
        known.entered -= 1
        guard known.entered <= 0 else {
            groups[group] = known
            return
        }
        signalEmpty(group, isNotified: !known.notifications.isEmpty, at: moment, in: &state)
        for item in known.notifications {
            Self.submit(item, at: moment, items: &items, in: &state)
        }
        if let entity = ids[group] { entities[entity].openNotifies = 0 }
        // Empty groups are removed, because a program can create millions of groups.
        groups[group] = nil
    }

    private func signalEmpty(_ group: UInt64, isNotified: Bool, at moment: Moment, in state: inout ModelState) {
        let object = BlockedWait.Object.group(group)
        let signal = state.signal(
            object, code: .unknown, isAwaited: isNotified || state.waits.isAwaited(object), at: moment,
            isItemOver: true)
        let cause = state.waits.isAwaited(object) ? state.mark(at: moment) : -1
        state.deliver(signal, because: cause)
        state.paths.release(cause)
        state.emit(.signal(signal))
    }

    mutating func beginWait(_ event: DispatchEvent.GroupWaitBegin, at moment: Moment, in state: inout ModelState) {
        state.blocked(at: moment)
        state.waits.begin(
            .group(event.group), code: state.codes.code(event.code),
            waiter: state.innermostNumber(on: moment.thread), at: moment)
    }

    mutating func endWait(_ event: DispatchEvent.GroupWaitEnd, at moment: Moment, in state: inout ModelState) {
        if let entity = entity(event.group, at: moment.time, in: &state) {
            entities[entity].waits += 1
            if event.timedOut != 0 { entities[entity].timeouts += 1 }
        }
        state.endWait(.group(event.group), timedOut: event.timedOut != 0, at: moment)
    }

    mutating func notify(
        _ event: DispatchEvent.GroupNotify, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        let queue = state.forest.queue(serial: event.queue)
        let slot = items.open(id: event.item, kind: .notify, queue: queue, at: moment.time, in: &state)
        state.items[slot].code = state.codes.code(event.code)
        state.items[slot].enqueuedOn = moment.thread
        state.joinOperation(slot, of: moment.thread)
        let entity = entity(event.group, at: moment.time, in: &state)
        if let group = groups[event.group], group.entered > 0 {
            groups[event.group]?.notifications.append(event.item)
            if let entity { entities[entity].openNotifies += 1 }
        } else {
            Self.submit(event.item, at: moment, items: &items, in: &state)
        }
    }

    /// The thread that empties the group submits its notifications.
    private static func submit(_ id: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        guard let slot = state.items.slot(of: id), state.items[slot].state == .announced,
            state.items[slot].kind == .notify
        else { return }
        state.followSignaller(slot, at: moment)
        state.submitted(slot, at: moment)
        items.submit(slot, at: moment.time, in: &state)
    }
}
