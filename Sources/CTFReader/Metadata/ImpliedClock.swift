/// Maps time stamps without a clock to the only clock of the trace. Older tracers write no mapping.
enum ImpliedClock {
    /// Completes the description of a trace.
    ///
    /// A trace without a clock gets a clock that counts nanoseconds from zero, as in babeltrace2. A trace with several
    /// clocks is not changed.
    static func complete(_ description: inout TraceDescription) {
        guard description.clocks.count <= 1 else { return }
        let clock = description.clocks.first ?? ClockClass(name: "default", isAbsolute: true)
        var isUsed = false
        for index in description.streams.indices {
            map(&description.streams[index].packetContext, ["timestamp_begin", "timestamp_end"], clock.name, &isUsed)
            map(&description.streams[index].eventHeader, ["timestamp"], clock.name, &isUsed)
        }
        if isUsed, description.clocks.isEmpty { description.clocks = [clock] }
    }

    private static func map(_ type: inout CTFFieldType?, _ names: Set<String>, _ clock: String, _ isUsed: inout Bool) {
        if let before = type { type = mapped(before, names, clock, &isUsed) }
    }

    private static func mapped(
        _ type: CTFFieldType, _ names: Set<String>, _ clock: String, _ isUsed: inout Bool
    ) -> CTFFieldType {
        switch type {
        case .structure(var structure):
            map(&structure.fields, names, clock, &isUsed)
            return .structure(structure)
        case .variant(var variant):
            map(&variant.options, names, clock, &isUsed)
            return .variant(variant)
        default: return type
        }
    }

    private static func map(_ fields: inout [CTFField], _ names: Set<String>, _ clock: String, _ isUsed: inout Bool) {
        for index in fields.indices {
            if names.contains(fields[index].declaredName), case .integer(var integer) = fields[index].type,
                integer.clock == nil
            {
                integer.clock = clock
                fields[index].type = .integer(integer)
                isUsed = true
            } else {
                fields[index].type = mapped(fields[index].type, names, clock, &isUsed)
            }
        }
    }
}
