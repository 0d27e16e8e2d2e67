/// The decoding plan of a trace. It is immutable.
final class TracePlan: @unchecked Sendable {
    let description: TraceDescription
    let packetHeader: FieldNode?
    let streams: [StreamPlan]
    let classes: [ClassPlan]
    let streamClasses: [CTFStreamClass]
    let eventClasses: [CTFEventClass]
    /// The clock of the first stream class that has a clock.
    let clock: ClockClass
    /// Number of stores for lengths and tags, at least 1, so that the allocation is never empty.
    let storeCount: Int
    let largestFieldCount: Int
    /// The layouts of the event classes, by index.
    let layouts: UnsafePointer<RecordLayout>
    private let slots: UnsafePointer<FieldSlot>

    init(_ description: TraceDescription) throws(CTFError) {
        self.description = description
        var compiler = FieldCompiler(source: description.source, clocks: Set(description.clocks.map(\.name)))
        packetHeader = try compiler.compile(description.packetHeader, as: .packetHeader, offset: 0)?.node
        let events = Dictionary(grouping: description.events, by: \.streamID)
        var streams: [StreamPlan] = []
        var classes: [ClassPlan] = []
        var streamClasses: [CTFStreamClass] = []
        var eventClasses: [CTFEventClass] = []
        for stream in description.streams {
            compiler.forgetClocks()
            let context = try compiler.compile(stream.packetContext, as: .packetContext, offset: stream.offset)
            let header = try compiler.compile(stream.eventHeader, as: .eventHeader, offset: stream.offset)
            let eventContext = try compiler.compile(stream.eventContext, as: .streamEventContext, offset: stream.offset)
            context?.node.assignPacketContextRoles(byNames: description.rolesAreNames)
            if description.rolesAreNames { header?.node.assignEventHeaderRoles() }
            var ids: [UInt64: Int] = [:]
            for event in events[stream.id] ?? [] {
                let own = try compiler.compile(event.context, as: .eventContext, offset: event.offset)
                let payload = try compiler.compile(event.fields, as: .payload, offset: event.offset)
                ids[event.id] = classes.count
                classes.append(
                    ClassPlan(
                        streamContext: eventContext?.node, eventContext: own?.node, payload: payload?.node,
                        outerRoots: (eventContext?.outerRoots ?? []).union(own?.outerRoots ?? [])
                            .union(payload?.outerRoots ?? [])))
                eventClasses.append(
                    CTFEventClass(
                        name: event.name, id: event.id, streamClassID: event.streamID,
                        streamClassIndex: streams.count, logLevel: event.logLevel,
                        context: event.context?.fields ?? [], fields: event.fields?.fields ?? []))
            }
            context?.node.computePlaces()
            header?.node.computePlaces()
            let clock = try Self.clock(of: stream, compiler.usedClocks, description)
            streams.append(
                StreamPlan(
                    id: stream.id, packetContext: context?.node, eventHeader: header?.node, classes: ids,
                    clock: clock))
            streamClasses.append(
                CTFStreamClass(
                    id: stream.id, clock: clock, packetContext: stream.packetContext?.fields ?? [],
                    eventHeader: stream.eventHeader?.fields ?? [], eventContext: stream.eventContext?.fields ?? []))
        }
        if description.rolesAreNames { packetHeader?.assignPacketHeaderRoles() }
        packetHeader?.computePlaces()
        for plan in classes {
            plan.streamContext?.computePlaces()
            plan.eventContext?.computePlaces()
            plan.payload?.computePlaces()
        }
        self.streams = streams
        self.classes = classes
        self.streamClasses = streamClasses
        self.eventClasses = eventClasses
        storeCount = max(compiler.storeCount, 1)
        largestFieldCount = classes.map(\.fields.count).max() ?? 0
        clock = streamClasses.lazy.compactMap(\.clock).first ?? description.clocks.first ?? ClockClass()
        (layouts, slots) = Self.layouts(of: classes)
    }

    /// The clock of a stream class: the clock that its fields are mapped to.
    private static func clock(
        of stream: TraceDescription.Stream, _ used: Set<String>, _ description: TraceDescription
    ) throws(CTFError) -> ClockClass? {
        guard used.count <= 1 else {
            throw description.source.error(
                .invalidAttribute, at: stream.offset,
                "The fields of the stream class \(stream.id) are mapped to \(used.count) clocks "
                    + "(\(used.sorted().joined(separator: ", "))); a stream class can have one clock only")
        }
        return description.clocks.first { used.contains($0.name) }
    }

    deinit {
        layouts.deallocate()
        slots.deallocate()
    }

    private static func layouts(of classes: [ClassPlan]) -> (UnsafePointer<RecordLayout>, UnsafePointer<FieldSlot>) {
        let slotCount = classes.reduce(1) { $0 + $1.fields.count }
        // The first half holds slots relative to the payload, the second half slots relative to each field.
        let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: 2 * slotCount)
        slots.initialize(repeating: .indirect, count: 2 * slotCount)
        let fieldRelativeSlots = slots + slotCount
        let layouts = UnsafeMutablePointer<RecordLayout>.allocate(capacity: max(classes.count, 1))
        var firstSlot = 0
        for (index, plan) in classes.enumerated() {
            let alignment = plan.payload?.alignment ?? 1
            for (position, field) in plan.fields.enumerated() {
                let place = firstSlot + position
                if alignment >= 8, case let offset = plan.fixedOffsets[position], offset >= 0 {
                    slots[place] = FieldSlot(field, at: offset) ?? .indirect
                }
                if field.alignment >= 8 { fieldRelativeSlots[place] = FieldSlot(field, at: 0) ?? .indirect }
            }
            let size = plan.hasFixedContexts ? plan.payload.map { $0.fixedSize ?? -1 } ?? 0 : -1
            (layouts + index).initialize(
                to: RecordLayout(
                    classIndex: index,
                    plan: .passUnretained(plan),
                    streamContextAlignment: plan.streamContext?.alignment ?? 1,
                    streamContextSize: plan.streamContext?.fixedSize ?? 0,
                    eventContextAlignment: plan.eventContext?.alignment ?? 1,
                    eventContextSize: plan.eventContext?.fixedSize ?? 0,
                    payloadAlignment: alignment,
                    payloadSize: size,
                    tid: ContextNumber(plan.streamContext, named: "vtid", "tid"),
                    pid: ContextNumber(plan.streamContext, named: "vpid", "pid"),
                    slots: UnsafePointer(slots + firstSlot),
                    fieldRelativeSlots: UnsafePointer(fieldRelativeSlots + firstSlot),
                    slotCount: plan.fields.count))
            layouts[index].computeByteOffsets()
            firstSlot += plan.fields.count
        }
        return (UnsafePointer(layouts), UnsafePointer(slots))
    }
}
