/// Builds the description of a trace from the blocks of the metadata.
struct MetadataResolver {
    private let source: MetadataSource
    private var types: TypeResolver
    private var description: TraceDescription
    /// The `stream_id` of each event class of ``description``; nil when the block has none.
    private var streamIDs: [UInt64?] = []

    /// Parses and resolves metadata.
    static func describe(_ source: MetadataSource) throws(CTFError) -> TraceDescription {
        let blocks = try MetadataParser.parse(source)
        // The byte order also applies to types that precede the trace block.
        var isBigEndian: Bool?
        for case .trace(let entries) in blocks {
            guard isBigEndian == nil else {
                throw source.error(.duplicate, at: 0, "The metadata has more than one 'trace' block")
            }
            guard let attribute = try BlockAttributes(entries, source)["byte_order"] else {
                throw source.error(.missingAttribute, at: 0, "The 'trace' block has no 'byte_order'")
            }
            isBigEndian = try NumberAttributes.isBigEndian(attribute, native: false, source)
        }
        guard let isBigEndian else {
            throw source.error(.missingAttribute, at: 0, "The metadata has no 'trace' block")
        }
        var resolver = MetadataResolver(
            source: source, types: TypeResolver(source: source, isBigEndian: isBigEndian),
            description: TraceDescription(source: source))
        for block in blocks { try resolver.add(block) }
        // Metadata without a `stream` block has one implicit stream class without contexts and event header.
        if resolver.description.streams.isEmpty { resolver.description.streams = [.init(id: 0, offset: 0)] }
        try resolver.assignStreams()
        try resolver.description.checkEvents()
        ImpliedClock.complete(&resolver.description)
        return resolver.description
    }

    private mutating func add(_ block: MetadataBlock) throws(CTFError) {
        switch block {
        case .declaration(let declaration): try types.declare(declaration)
        case .trace(let entries): try addTrace(entries)
        case .environment(let entries): addEnvironment(entries)
        case .clock(let entries, let offset): try addClock(entries, at: offset)
        case .stream(let entries, let offset): try addStream(entries, at: offset)
        case .event(let entries, let offset): try addEvent(entries, at: offset)
        case .callsite: break
        }
    }

    // The known attributes of each block.
    private static let traceAttributes: Set<String> = ["major", "minor", "uuid", "byte_order", "packet.header"]
    private static let clockAttributes: Set<String> = [
        "name", "uuid", "description", "freq", "precision", "offset_s", "offset", "absolute",
    ]
    private static let streamAttributes: Set<String> = ["id", "packet.context", "event.header", "event.context"]
    private static let eventAttributes: Set<String> = [
        "name", "id", "stream_id", "loglevel", "model.emf.uri", "context", "fields",
    ]

    /// Maximum number of notes about unknown attributes.
    private static let noteLimit = 20

    /// Notes the attributes of a block that are not known.
    private mutating func noteUnknown(_ entries: [MetadataEntry], in block: String, known names: Set<String>) {
        for entry in entries where description.notes.count < Self.noteLimit {
            let (name, offset): (String, Int)
            switch entry {
            case .attribute(let attribute): (name, offset) = (attribute.name, attribute.offset)
            case .typeAssignment(let part, _, let place): (name, offset) = (part, place)
            case .declaration: continue
            }
            guard !names.contains(name) else { continue }
            description.notes.append(
                source.note(
                    .unknownAttribute, at: offset, "'\(name)' is not a known attribute of '\(block)'; it is ignored"))
        }
    }

    /// Resolves the types that a block assigns to its parts, by the name of the part. Unknown parts are ignored.
    private mutating func parts(
        of entries: [MetadataEntry], named names: Set<String>
    ) throws(CTFError) -> [String: CTFFieldType] {
        try types.block { resolver throws(CTFError) in
            var parts: [String: CTFFieldType] = [:]
            for entry in entries {
                switch entry {
                case .declaration(let declaration): try resolver.declare(declaration)
                case .attribute: break
                case .typeAssignment(let name, let syntax, let offset):
                    guard names.contains(name) else { continue }
                    let type = try resolver.resolve(syntax).type
                    guard case .structure = type else {
                        throw resolver.source.error(.invalidAttribute, at: offset, "'\(name)' must be a structure")
                    }
                    guard parts.updateValue(type, forKey: name) == nil else {
                        throw resolver.source.error(.duplicate, at: offset, "'\(name)' occurs twice")
                    }
                }
            }
            return parts
        }
    }

    private mutating func addTrace(_ entries: [MetadataEntry]) throws(CTFError) {
        let attributes = try BlockAttributes(entries, source)
        let version = (try attributes.unsigned("major") ?? 1, try attributes.unsigned("minor") ?? 8)
        guard version == (1, 8) else {
            throw source.error(
                .unsupportedVersion, at: attributes["major"]?.offset ?? 0,
                "The trace is of version \(version.0).\(version.1) of CTF; only 1.8 is supported")
        }
        if let text = try attributes.text("uuid") {
            let digits = text.filter { $0 != "-" }.compactMap(\.hexDigitValue)
            guard digits.count == 32, text.count == 36 else {
                throw source.error(
                    .invalidAttribute, at: attributes["uuid"]?.offset ?? 0,
                    "'uuid' must be of the form 01234567-89ab-cdef-0123-456789abcdef")
            }
            description.uuid = (0..<16).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
        }
        noteUnknown(entries, in: "trace", known: Self.traceAttributes)
        description.packetHeader = try parts(of: entries, named: ["packet.header"])["packet.header"]
    }

    private mutating func addEnvironment(_ entries: [MetadataEntry]) {
        for case .attribute(let attribute) in entries {
            let value: EnvironmentValue =
                switch attribute.value {
                case .text(let text), .words(let text): .string(text)
                case .number(let number): .integer(Int64(truncatingIfNeeded: number))
                }
            description.environment.removeAll { $0.name == attribute.name }
            description.environment.append((attribute.name, value))
        }
    }

    private mutating func addClock(_ entries: [MetadataEntry], at offset: Int) throws(CTFError) {
        let attributes = try BlockAttributes(entries, source)
        guard let name = try attributes.text("name") else {
            throw source.error(.missingAttribute, at: offset, "The clock has no 'name'")
        }
        var clock = ClockClass(name: name)
        clock.uuid = try attributes.text("uuid")
        clock.description = try attributes.text("description") ?? ""
        clock.frequency = try attributes.unsigned("freq") ?? 1_000_000_000
        clock.precision = try attributes.unsigned("precision") ?? 0
        clock.offsetSeconds = try attributes.signed("offset_s") ?? 0
        clock.offsetCycles = try attributes.signed("offset") ?? 0
        if let attribute = attributes["absolute"] {
            switch attribute.value {
            case .words("true"), .words("TRUE"), .number(1): clock.isAbsolute = true
            default: clock.isAbsolute = false
            }
        }
        guard clock.frequency > 0 else {
            throw source.error(
                .invalidAttribute, at: attributes["freq"]?.offset ?? offset, "'freq' must be more than 0")
        }
        noteUnknown(entries, in: "clock", known: Self.clockAttributes)
        if let known = description.clocks.first(where: { $0.name == name }) {
            // The CTF writer of babeltrace2 declares a clock again for each stream class that uses it.
            guard known == clock else {
                throw source.error(
                    .duplicate, at: offset, "The clock '\(name)' is declared twice with different attributes")
            }
            return
        }
        description.clocks.append(clock)
    }

    private mutating func addStream(_ entries: [MetadataEntry], at offset: Int) throws(CTFError) {
        let id = try BlockAttributes(entries, source).unsigned("id") ?? 0
        guard !description.streams.contains(where: { $0.id == id }) else {
            throw source.error(.duplicate, at: offset, "The stream class \(id) is declared twice")
        }
        noteUnknown(entries, in: "stream", known: Self.streamAttributes)
        let parts = try parts(of: entries, named: ["packet.context", "event.header", "event.context"])
        description.streams.append(
            .init(
                id: id, packetContext: parts["packet.context"], eventHeader: parts["event.header"],
                eventContext: parts["event.context"], offset: offset))
    }

    private mutating func addEvent(_ entries: [MetadataEntry], at offset: Int) throws(CTFError) {
        let attributes = try BlockAttributes(entries, source)
        guard let name = try attributes.text("name") else {
            throw source.error(.missingAttribute, at: offset, "The event has no 'name'")
        }
        streamIDs.append(try attributes.unsigned("stream_id"))
        noteUnknown(entries, in: "event", known: Self.eventAttributes)
        let parts = try parts(of: entries, named: ["context", "fields"])
        description.events.append(
            .init(
                id: try attributes.unsigned("id") ?? 0, streamID: 0, name: name,
                logLevel: try attributes.signed("loglevel"), context: parts["context"], fields: parts["fields"],
                offset: offset))
    }

    /// Sets the stream class of each event class. With a single stream class, events may omit its id.
    private mutating func assignStreams() throws(CTFError) {
        let only = description.streams.count == 1 ? description.streams[0].id : nil
        for (index, id) in streamIDs.enumerated() {
            guard let id = id ?? only else {
                throw source.error(
                    .missingAttribute, at: description.events[index].offset,
                    "The event '\(description.events[index].name)' has no 'stream_id', and there are "
                        + "\(description.streams.count) stream classes")
            }
            description.events[index].streamID = id
        }
    }
}
