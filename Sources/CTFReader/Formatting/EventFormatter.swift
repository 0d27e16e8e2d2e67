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

    private let options: Options
    private let trace: CTFTrace
    /// One for each stream class.
    private let clocks: [ClockClass?]
    private let origin: String
    private var before: UInt64?
    private var timeOfDay = TimeOfDay()
    private var packet: (stream: ObjectIdentifier, start: Int, text: [UInt8])?
    private var line = LineBuffer()

    private init(_ trace: CTFTrace, _ options: Options) {
        self.options = options
        self.trace = trace
        clocks = trace.streamClasses.map(\.clock)
        var parts: [String] = []
        if let value = trace.environment["hostname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["procname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["vpid"]?.integerValue { parts.append("(\(value))") }
        origin = parts.isEmpty ? "" : parts.joined(separator: ":") + " "
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
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - write: called with the text of one or more whole lines, as for one trace.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `write` throws.
    public static func write(
        _ traces: [CTFTrace], options: Options = Options(), progress: ((Double) -> Void)? = nil,
        to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> [ReadSummary] {
        var formatters = traces.map { EventFormatter($0, options) }
        let passes = TraceMerge.passes(of: traces, order: .displayedTime, clocksAgree: false, progress: progress)
        // Who wrote last: the next one goes on with its text and its time.
        var last = 0
        let summaries = try TraceMerge.run(passes) { index, record in
            if index != last {
                formatters[index].before = formatters[last].before
                let line = formatters[last].line
                formatters[last].line = formatters[index].line
                formatters[index].line = line
                last = index
            }
            formatters[index].append(record)
            if formatters[index].line.bytes.count >= writeSize {
                try formatters[index].line.bytes.withUnsafeBytes(write)
                formatters[index].line.removeAll()
            }
        }
        if let text = formatters.indices.contains(last) ? formatters[last].line.bytes : nil, !text.isEmpty {
            try text.withUnsafeBytes(write)
        }
        return summaries
    }

    // MARK: Parts of a line

    private mutating func append(_ record: EventRecord) {
        let eventClass = trace.eventClasses[record.classIndex]
        if let clock = clocks[eventClass.streamClassIndex] { appendTime(record.clockValue, clock) }
        line.append(origin)
        line.append(eventClass.name)
        line.append(":")
        var isFirst = true
        appendPacketContext(record.decoder, &isFirst)
        record.decoder.forEachStructure { (node, walker) throws(FieldWalker.Problem) in
            line.append(isFirst ? " " : ", ")
            isFirst = false
            try FieldPrinter.print(node, &walker, to: &line)
        }
        if isFirst { line.append(" ") }
        line.append("\n")
    }

    private mutating func appendTime(_ cycles: UInt64, _ clock: ClockClass) {
        let nanoseconds = clock.displayedNanosecondsFromOrigin(cycles)
        line.append("[")
        if options.clockCycles { line.append(cycles, digits: 20) } else { timeOfDay.append(nanoseconds, to: &line) }
        line.append("] ")
        guard options.delta else { return }
        let now = options.clockCycles ? cycles : UInt64(bitPattern: nanoseconds)
        // babeltrace2 takes a step back by one for an unknown delta. There are such steps in cycles: records are in the
        // order of nanoseconds, which several cycles share.
        let delta = before.map { now &- $0 } ?? .max
        if delta != .max {
            line.append("(+")
            if options.clockCycles {
                line.append(delta, digits: 12)
            } else {
                line.append(delta / 1_000_000_000)
                line.append(".")
                line.append(delta % 1_000_000_000, digits: 9)
            }
            line.append(") ")
        } else if options.clockCycles {
            line.append("(+????????????) ")
        } else {
            line.append("(+?.?????????) ")
        }
        before = now
    }

    /// The packet context is the same for all records of a packet, so its text is kept.
    private mutating func appendPacketContext(_ decoder: RecordDecoder, _ isFirst: inout Bool) {
        let stream = decoder.stream
        guard let context = stream.plan?.packetContext else { return }
        let identity = ObjectIdentifier(stream)
        if packet?.stream != identity || packet?.start != stream.packetStart {
            var text = LineBuffer()
            let isVisible = context.fields.contains { !Self.isInternal($0) }
            if isVisible { stream.printPacketContext(to: &text, hiding: Self.isInternal) }
            packet = (identity, stream.packetStart, text.bytes)
        }
        guard let text = packet?.text, !text.isEmpty else { return }
        line.append(" ")
        for byte in text { line.append(byte) }
        isFirst = false
    }

    /// Whether a field of the packet context serves the reader only.
    private static func isInternal(_ field: FieldNode) -> Bool {
        field.role != .none && field.role != .tid && field.role != .processor && field.role != .eventCount
    }
}
