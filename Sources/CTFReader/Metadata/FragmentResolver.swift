import FoundationEssentials

/// Builds the description of a trace from CTF 2 metadata, a JSON text sequence of fragments.
struct FragmentResolver {
    private let source: MetadataSource
    private var description: TraceDescription
    private var classes: FieldClassResolver
    /// Offset of the current fragment in the text.
    private var offset = 0
    private var hasTraceClass = false
    private var hasNotedExtensions = false

    /// Parses and resolves metadata.
    static func describe(_ source: MetadataSource) throws(CTFError) -> TraceDescription {
        var resolver = FragmentResolver(
            source: source, description: TraceDescription(source: source), classes: FieldClassResolver(source: source))
        resolver.description.rolesAreNames = false
        var next = 0
        var isFirst = true
        while let start = source.text[next...].firstIndex(of: MetadataSource.recordSeparator) {
            let end = source.text[(start + 1)...].firstIndex(of: MetadataSource.recordSeparator) ?? source.text.count
            next = end
            // A text sequence may have empty elements.
            guard source.text[(start + 1)..<end].contains(where: { !" \t\r\n".utf8.contains($0) }) else { continue }
            let fragment = try resolver.decode(start + 1..<end)
            guard isFirst == (fragment.type == "preamble") else {
                throw resolver.error(
                    .syntax, isFirst ? "The first fragment must be a preamble" : "There is more than one preamble")
            }
            isFirst = false
            try resolver.add(fragment)
        }
        guard !isFirst else { throw source.error(.syntax, at: 0, "The metadata has no fragment") }
        try resolver.check()
        return resolver.description
    }

    private func error(_ code: CTFError.Code, _ problem: String) -> CTFError {
        source.error(code, at: offset, problem)
    }

    private mutating func decode(_ range: Range<Int>) throws(CTFError) -> MetadataFragment {
        let text = source.text[range]
        offset = text.firstIndex { !" \t\r\n".utf8.contains($0) } ?? range.lowerBound
        do {
            return try JSONDecoder().decode(MetadataFragment.self, from: Data(text))
        } catch let error as DecodingError {
            throw self.error(.syntax, Self.sentence(error))
        } catch {
            throw self.error(.syntax, "The fragment is not valid JSON")
        }
    }

    /// The problem and its path in the fragment.
    private static func sentence(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let names = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return names.isEmpty ? "The fragment" : "'\(names.joined(separator: "."))' of the fragment"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(path(context)) has no '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(path(context)) has a value of the wrong type"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "The fragment is not valid JSON" : "\(path(context)) has an invalid value"
        @unknown default: "The fragment cannot be decoded"
        }
    }

    // MARK: Fragments

    private mutating func add(_ fragment: MetadataFragment) throws(CTFError) {
        if fragment.extensions?.isEmpty == false, !hasNotedExtensions {
            hasNotedExtensions = true
            let names = fragment.extensions.map { $0.keys.sorted().joined(separator: ", ") } ?? ""
            description.notes.append(
                source.note(.unknownAttribute, at: offset, "The extensions of \(names) are not known; they are ignored")
            )
        }
        classes.offset = offset
        switch fragment.type {
        case "preamble":
            guard fragment.version == 2 else {
                throw error(
                    .unsupportedVersion,
                    "The metadata has version \(fragment.version.map { "\($0)" } ?? "?") of CTF; 2 is supported")
            }
            guard fragment.uuid == nil || fragment.uuid?.count == 16 else {
                throw error(.invalidAttribute, "'uuid' must have 16 numbers")
            }
            description.uuid = fragment.uuid
        case "field-class-alias":
            guard let name = fragment.name, let type = fragment.fieldClass else {
                throw error(.missingAttribute, "The alias needs 'name' and 'field-class'")
            }
            try classes.declare(name, type)
        case "trace-class": try addTrace(fragment)
        case "clock-class": try addClock(fragment)
        case "data-stream-class": try addStream(fragment)
        case "event-record-class": try addEvent(fragment)
        default:
            description.notes.append(
                source.note(
                    .unknownAttribute, at: offset, "The fragment type '\(fragment.type)' is not known; it is ignored"))
        }
    }

    private mutating func addTrace(_ fragment: MetadataFragment) throws(CTFError) {
        guard !hasTraceClass else { throw error(.duplicate, "There is more than one trace class") }
        hasTraceClass = true
        for (name, value) in (fragment.environment ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch value {
            case .number(let number): description.environment.append((name, .integer(number)))
            case .text(let text): description.environment.append((name, .string(text)))
            }
        }
        classes.root = .packetHeader
        description.packetHeader = try structure(fragment.packetHeader, "packet-header-field-class")
    }

    private mutating func addClock(_ fragment: MetadataFragment) throws(CTFError) {
        guard case .text(let id) = fragment.id else { throw error(.missingAttribute, "The clock class has no 'id'") }
        guard let frequency = fragment.frequency else {
            throw error(.missingAttribute, "The clock class '\(id)' has no 'frequency'")
        }
        guard frequency > 0 else { throw error(.invalidAttribute, "'frequency' must be more than 0") }
        guard !description.clocks.contains(where: { $0.name == id }) else {
            throw error(.duplicate, "The clock class '\(id)' is declared twice")
        }
        var clock = ClockClass(name: id, uuid: fragment.uid, description: fragment.description ?? "")
        clock.frequency = frequency
        clock.precision = fragment.precision ?? 0
        clock.offsetSeconds = fragment.offset?.seconds ?? 0
        clock.offsetCycles = Int64(clamping: fragment.offset?.cycles ?? 0)
        clock.isAbsolute = fragment.origin?.isUnixEpoch ?? false
        description.clocks.append(clock)
    }

    private mutating func addStream(_ fragment: MetadataFragment) throws(CTFError) {
        let id = try number(fragment.id)
        guard !description.streams.contains(where: { $0.id == id }) else {
            throw error(.duplicate, "The data stream class \(id) is declared twice")
        }
        if let clock = fragment.defaultClock, !description.clocks.contains(where: { $0.name == clock }) {
            throw error(.unknownReference, "The clock class '\(clock)' is not declared before this place")
        }
        classes.clock = fragment.defaultClock
        defer { classes.clock = nil }
        var stream = TraceDescription.Stream(id: id, offset: offset)
        classes.root = .packetContext
        stream.packetContext = try structure(fragment.packetContext, "packet-context-field-class")
        classes.root = .eventHeader
        stream.eventHeader = try structure(fragment.eventHeader, "event-record-header-field-class")
        classes.root = .streamEventContext
        stream.eventContext = try structure(fragment.commonContext, "event-record-common-context-field-class")
        description.streams.append(stream)
    }

    private mutating func addEvent(_ fragment: MetadataFragment) throws(CTFError) {
        classes.root = .eventContext
        let context = try structure(fragment.specificContext, "specific-context-field-class")
        classes.root = .payload
        let payload = try structure(fragment.payload, "payload-field-class")
        description.events.append(
            .init(
                id: try number(fragment.id), streamID: fragment.dataStreamClassID ?? 0,
                name: fragment.name ?? "<unknown>",
                logLevel: fragment.attributes?.lttng?.logLevel.flatMap { Self.logLevels.firstIndex(of: $0) }.map(
                    Int64.init),
                context: context, fields: payload, offset: offset))
    }

    /// The log levels of LTTng, by number.
    private static let logLevels = [
        "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug:system", "debug:program",
        "debug:process", "debug:module", "debug:unit", "debug:function", "debug:line", "debug",
    ]

    private func number(_ id: MetadataFragment.IdentifierProperty?) throws(CTFError) -> UInt64 {
        switch id {
        case nil: return 0
        case .number(let number): return number
        case .text: throw error(.invalidAttribute, "'id' must be a number from 0 to 2^64 - 1")
        }
    }

    private mutating func structure(_ property: FieldClassProperty?, _ name: String) throws(CTFError) -> CTFFieldType? {
        guard let property else { return nil }
        let type = try classes.resolve(property).type
        guard case .structure = type else { throw error(.invalidAttribute, "'\(name)' must be a structure") }
        return type
    }

    private func check() throws(CTFError) {
        guard !description.streams.isEmpty else {
            throw source.error(.missingAttribute, at: 0, "The metadata has no data stream class")
        }
        try description.checkEvents()
    }
}
