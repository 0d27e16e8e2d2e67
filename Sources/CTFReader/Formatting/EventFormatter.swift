/// Writes event records as text, one line each, in the format of babeltrace2.
public struct EventFormatter {
    /// What stands at the beginning of each line.
    public struct Options: Hashable, Sendable {
        /// Whether times are clock values rather than local times of day.
        public var clockCycles: Bool
        /// Whether the time since the record before is shown.
        public var delta: Bool

        /// Creates options; without arguments those that babeltrace2 has by default.
        public init(clockCycles: Bool = false, delta: Bool = true) {
            self.clockCycles = clockCycles
            self.delta = delta
        }
    }

    private static let writeSize = 64 * 1024

    /// How records of a class are written, without references to count.
    private struct Form {
        /// The name of the class, behind whose data it comes from.
        let head: UnsafeBufferPointer<UInt8>
        /// Nil for records that only ``FieldPrinter`` can write.
        let template: Unmanaged<RecordTemplate>?
        let clock: ClockClass.Display?
    }

    /// The forms of a trace, by position of the event class.
    private final class Forms {
        private let forms: UnsafeMutableBufferPointer<Form>

        init(_ trace: CTFTrace, origin: String) {
            forms = .allocate(capacity: trace.eventClasses.count)
            for (index, eventClass) in trace.eventClasses.enumerated() {
                let head = Array("\(origin)\(eventClass.name):".utf8)
                let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: head.count)
                _ = copy.initialize(from: head)
                let structures = trace.plan.classes[index].structures
                let template = structures.isEmpty ? nil : RecordTemplate(structures)
                (forms.baseAddress! + index).initialize(
                    to: Form(
                        head: UnsafeBufferPointer(copy), template: template.map { .passRetained($0) },
                        clock: trace.streamClasses[eventClass.streamClassIndex].clock.map { ClockClass.Display($0) }))
            }
        }

        deinit {
            for form in forms {
                form.head.deallocate()
                form.template?.release()
            }
            forms.deallocate()
        }

        subscript(index: Int) -> Form {
            @inline(__always) get { forms[index] }
        }
    }

    /// What goes on from one trace to the next.
    private struct State: ~Copyable {
        var line = LineBuffer(capacity: 2 * writeSize)
        /// The time of the record before.
        var before: UInt64?
    }

    private let options: Options
    private let forms: Forms
    private var timeOfDay = TimeOfDay()
    /// The first byte of the packet that ``packetText`` belongs to.
    private var packet: UnsafeRawPointer?
    private var packetText: [UInt8] = []

    private init(_ trace: CTFTrace, _ options: Options) {
        self.options = options
        var parts: [String] = []
        if let value = trace.environment["hostname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["procname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["vpid"]?.integerValue { parts.append("(\(value))") }
        let origin = parts.isEmpty ? "" : parts.joined(separator: ":") + " "
        forms = Forms(trace, origin: origin)
    }

    /// Writes every event record of a trace, in the order in which babeltrace2 lists them.
    ///
    /// - Parameters:
    ///   - trace: the trace.
    ///   - options: what stands at the beginning of each line.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - write: called with the text of one or more whole lines, newlines included; it is UTF-8 unless the trace's
    ///     own texts are not.
    /// - Returns: counts, losses and damage.
    /// - Throws: what `write` throws.
    public static func write(
        _ trace: CTFTrace, options: Options = Options(), progress: ((Double) -> Void)? = nil,
        to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> ReadSummary {
        try self.write([trace], options: options, progress: progress, to: write)[0]
    }

    /// Writes every event record of several traces in one order of time, each by its own clock's offset.
    ///
    /// - Parameters:
    ///   - traces: the traces; their order decides between records of equal time.
    ///   - options: what stands at the beginning of each line.
    ///   - window: the part that is written; nil for everything.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - write: called with the text of one or more whole lines, as for one trace.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `write` throws.
    public static func write(
        _ traces: [CTFTrace], options: Options = Options(), window: TraceWindow? = nil,
        progress: ((Double) -> Void)? = nil,
        to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> [ReadSummary] {
        var formatters = traces.map { EventFormatter($0, options) }
        var state = State()
        func append(_ index: Int, _ record: EventRecord) throws {
            formatters[index].append(record, to: &state)
            if state.line.count >= writeSize {
                try state.line.withBytes(write)
                state.line.removeAll()
            }
        }
        let summaries: [ReadSummary]
        if let window {
            summaries = try TraceMerge.forEachDisplayedEvent(in: window, of: traces, progress: progress, append)
        } else {
            let passes = TraceMerge.passes(of: traces, order: .displayedTime, clocksAgree: false, progress: progress)
            summaries = try TraceMerge.run(passes, append)
        }
        if state.line.count > 0 { try state.line.withBytes(write) }
        return summaries
    }

    // MARK: Parts of a line

    private mutating func append(_ record: EventRecord, to state: inout State) {
        let form = forms[record.classIndex]
        if let clock = form.clock { appendTime(record.clockValue, clock, to: &state) }
        state.line.append(form.head.baseAddress!, count: form.head.count)
        var isFirst = true
        appendPacketContext(record.decoder, &isFirst, to: &state.line)
        if let template = form.template {
            state.line.append(isFirst ? " " : ", ")
            let (base, start) = record.decoder.body
            template._withUnsafeGuaranteedRef { $0.write(base, from: start, to: &state.line) }
        } else {
            record.decoder.forEachStructure { (node, walker) throws(FieldWalker.Problem) in
                state.line.append(isFirst ? " " : ", ")
                isFirst = false
                try FieldPrinter.print(node, &walker, to: &state.line)
            }
            if isFirst { state.line.append(" ") }
        }
        state.line.append("\n")
    }

    private mutating func appendTime(_ cycles: UInt64, _ clock: ClockClass.Display, to state: inout State) {
        let nanoseconds = clock.nanosecondsFromOrigin(cycles)
        state.line.append("[")
        if options.clockCycles {
            state.line.append(cycles, digits: 20)
        } else {
            timeOfDay.append(nanoseconds, to: &state.line)
        }
        state.line.append("] ")
        guard options.delta else { return }
        let now = options.clockCycles ? cycles : UInt64(bitPattern: nanoseconds)
        // babeltrace2 takes a step back by one for an unknown delta. There are such steps in cycles: records are in the
        // order of nanoseconds, which several cycles share.
        let delta = state.before.map { now &- $0 } ?? .max
        if delta != .max {
            state.line.append("(+")
            if options.clockCycles {
                state.line.append(delta, digits: 12)
            } else {
                state.line.append(delta / 1_000_000_000)
                state.line.append(".")
                state.line.append(nineDigits: UInt32(truncatingIfNeeded: delta % 1_000_000_000))
            }
            state.line.append(") ")
        } else if options.clockCycles {
            state.line.append("(+????????????) ")
        } else {
            state.line.append("(+?.?????????) ")
        }
        state.before = now
    }

    /// The packet context is the same for all records of a packet, so its text is kept.
    @inline(__always)
    private mutating func appendPacketContext(
        _ decoder: RecordDecoder, _ isFirst: inout Bool, to line: inout LineBuffer
    ) {
        let packet = decoder.body.base
        if self.packet != packet {
            self.packet = packet
            packetText = Self.packetText(decoder.stream)
        }
        guard !packetText.isEmpty else { return }
        line.append(packetText)
        isFirst = false
    }

    private static func packetText(_ stream: DataStream) -> [UInt8] {
        guard let context = stream.plan?.packetContext, context.fields.contains(where: { !isInternal($0) }) else {
            return []
        }
        var text = LineBuffer()
        text.append(" ")
        stream.printPacketContext(to: &text, hiding: isInternal)
        return text.bytes
    }

    /// Whether a field of the packet context serves the reader only.
    private static func isInternal(_ field: FieldNode) -> Bool {
        field.role != .none && field.role != .tid && field.role != .processor && field.role != .eventCount
    }
}
