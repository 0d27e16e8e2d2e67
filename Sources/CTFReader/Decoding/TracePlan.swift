/// How the packets and event records of a trace are decoded; never changes once it is made.
final class TracePlan: @unchecked Sendable {
    let description: TraceDescription
    let packetHeader: FieldNode?
    let streams: [StreamPlan]
    let classes: [ClassPlan]
    let eventClasses: [CTFEventClass]
    let clock: ClockClass
    /// Number of values that lengths and tags refer to.
    let storeCount: Int
    let largestFieldCount: Int
    /// One for each event class.
    let layouts: UnsafePointer<RecordLayout>
    private let slots: UnsafePointer<FieldSlot>

    init(_ description: TraceDescription) throws(CTFError) {
        self.description = description
        var compiler = FieldCompiler(source: description.source, clocks: Set(description.clocks.map(\.name)))
        packetHeader = try compiler.compile(description.packetHeader, as: .packetHeader, offset: 0)?.node
        var streams: [StreamPlan] = []
        var classes: [ClassPlan] = []
        var eventClasses: [CTFEventClass] = []
        for stream in description.streams {
            let context = try compiler.compile(stream.packetContext, as: .packetContext, offset: stream.offset)
            let header = try compiler.compile(stream.eventHeader, as: .eventHeader, offset: stream.offset)
            let eventContext = try compiler.compile(stream.eventContext, as: .streamEventContext, offset: stream.offset)
            context?.node.assignPacketContextRoles()
            header?.node.assignEventHeaderRoles()
            var ids: [UInt64: Int] = [:]
            for event in description.events where event.streamID == stream.id {
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
                        name: event.name, id: event.id, streamClassID: event.streamID, logLevel: event.logLevel,
                        fields: event.fields.map { if case .structure(let type) = $0 { type.fields } else { [] } } ?? []
                    ))
            }
            context?.node.settle()
            header?.node.settle()
            streams.append(
                StreamPlan(
                    id: stream.id, packetContext: context?.node, eventHeader: header?.node, classes: ids))
        }
        packetHeader?.assignPacketHeaderRoles()
        packetHeader?.settle()
        for plan in classes {
            plan.streamContext?.settle()
            plan.eventContext?.settle()
            plan.payload?.settle()
        }
        self.streams = streams
        self.classes = classes
        self.eventClasses = eventClasses
        storeCount = compiler.storeCount
        largestFieldCount = classes.map(\.fields.count).max() ?? 0
        guard compiler.usedClocks.count <= 1 else {
            throw description.source.error(
                .invalidAttribute, at: 0,
                "The trace uses \(compiler.usedClocks.count) clocks "
                    + "(\(compiler.usedClocks.sorted().joined(separator: ", "))); only one is supported")
        }
        clock =
            description.clocks.first { compiler.usedClocks.contains($0.name) } ?? description.clocks.first
            ?? ClockClass()
        (layouts, slots) = Self.layouts(of: classes)
    }

    deinit {
        layouts.deallocate()
        slots.deallocate()
    }

    private static func layouts(
        of classes: [ClassPlan]
    ) -> (UnsafePointer<RecordLayout>, UnsafePointer<FieldSlot>) {
        let slotCount = classes.reduce(1) { $0 + $1.fields.count }
        let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: slotCount)
        slots.initialize(repeating: .indirect, count: slotCount)
        let layouts = UnsafeMutablePointer<RecordLayout>.allocate(capacity: max(classes.count, 1))
        var firstSlot = 0
        for (index, plan) in classes.enumerated() {
            let alignment = plan.payload?.alignment ?? 1
            for (position, field) in plan.fields.enumerated() where alignment >= 8 && plan.fixedOffsets[position] >= 0 {
                if let slot = FieldSlot(field, at: plan.fixedOffsets[position]) { slots[firstSlot + position] = slot }
            }
            let size = plan.hasFixedContexts ? plan.payload.map { $0.fixedSize ?? -1 } ?? 0 : -1
            (layouts + index).initialize(
                to: RecordLayout(
                    classIndex: index,
                    streamContextAlignment: plan.streamContext?.alignment ?? 1,
                    streamContextSize: plan.streamContext?.fixedSize ?? 0,
                    eventContextAlignment: plan.eventContext?.alignment ?? 1,
                    eventContextSize: plan.eventContext?.fixedSize ?? 0,
                    payloadAlignment: alignment,
                    payloadSize: size,
                    tid: plan.streamContext.flatMap(Self.tid) ?? .indirect,
                    slots: UnsafePointer(slots + firstSlot),
                    slotCount: plan.fields.count))
            firstSlot += plan.fields.count
        }
        return (UnsafePointer(layouts), UnsafePointer(slots))
    }

    /// The thread among a context's fields, when it lies at a fixed byte.
    private static func tid(in context: FieldNode) -> FieldSlot? {
        guard context.alignment >= 8 else { return nil }
        var position = 0
        var found: [String: FieldSlot] = [:]
        for field in context.fields {
            position = BitField.align(position, field.alignment)
            if field.name == "vtid" || field.name == "tid", let slot = FieldSlot(field, at: position) {
                found[field.name] = slot
            }
            guard let size = field.fixedSize else { break }
            position += size
        }
        return found["vtid"] ?? found["tid"]
    }
}
