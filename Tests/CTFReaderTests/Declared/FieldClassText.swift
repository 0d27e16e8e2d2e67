/// The field classes of a declared trace in JSON, as in CTF 2 metadata.
struct FieldClassText {
    /// The trace's byte order.
    let native: FieldShape.ByteOrder

    /// The roles of CTF 2 by the reserved names of CTF 1.8.
    private static let roles = [
        "magic": "packet-magic-number", "stream_id": "data-stream-class-id", "stream_instance_id": "data-stream-id",
        "timestamp_begin": "default-clock-timestamp", "timestamp_end": "packet-end-default-clock-timestamp",
        "content_size": "packet-content-length", "packet_size": "packet-total-length",
        "packet_seq_num": "packet-sequence-number", "events_discarded": "discarded-event-record-counter-snapshot",
        "id": "event-record-class-id", "timestamp": "default-clock-timestamp",
    ]

    /// The origins of field locations by the prefixes of CTF 1.8.
    private static let origins = [
        ("trace.packet.header.", "packet-header"), ("stream.packet.context.", "packet-context"),
        ("stream.event.header.", "event-record-header"),
        ("stream.event.context.", "event-record-common-context"),
        ("event.context.", "event-record-specific-context"), ("event.fields.", "event-record-payload"),
    ]

    /// The name of a field without the leading underscore that CTF 1.8 adds.
    static func name(_ declared: String) -> String { declared.hasPrefix("_") ? String(declared.dropFirst()) : declared }

    /// A structure.
    ///
    /// - Parameters:
    ///   - fields: its fields.
    ///   - hasRoles: whether the fields of the structure, or of its variants, may have roles.
    ///   - align: the minimum alignment.
    func structure(
        _ fields: [(name: String, shape: FieldShape)], hasRoles: Bool = false, align: Int? = nil
    ) -> String {
        let members = fields.map { field in
            let role = hasRoles ? Self.roles[field.name] : nil
            let type = text(of: field.shape, among: fields, role: role, hasRoles: hasRoles)
            return "{\"name\": \"\(Self.name(field.name))\", \"field-class\": \(type)}"
        }
        return "{\"type\": \"structure\", \"minimum-alignment\": \(align ?? 1), \"member-classes\": ["
            + members.joined(separator: ", ") + "]}"
    }

    private func text(
        of shape: FieldShape, among siblings: [(name: String, shape: FieldShape)], role: String? = nil,
        hasRoles: Bool = false
    ) -> String {
        switch shape {
        case .integer(let integer): return self.integer(integer, role)
        case .enumeration(let integer, let mappings):
            let labels = Dictionary(grouping: mappings) { $0.label }
            let list = labels.map { "\"\($0.key)\": \(ranges($0.value))" }.joined(separator: ", ")
            return self.integer(integer, role, more: ", \"mappings\": {\(list)}")
        case .float(let bits, let align, let order):
            return "{\"type\": \"fixed-length-floating-point-number\", \"length\": \(bits), \"alignment\": \(align), "
                + "\"byte-order\": \"\(name(of: order))\"}"
        case .string: return "{\"type\": \"null-terminated-string\"}"
        case .structure(let fields, let align): return structure(fields, hasRoles: hasRoles, align: align)
        case .array(let element, let count):
            if element.isCharacter { return "{\"type\": \"static-length-string\", \"length\": \(count)}" }
            return "{\"type\": \"static-length-array\", \"length\": \(count), \"element-field-class\": "
                + text(of: element, among: siblings) + "}"
        case .sequence(let element, let length):
            let location = "\"length-field-location\": \(location(length))"
            if element.isCharacter { return "{\"type\": \"dynamic-length-string\", \(location)}" }
            return "{\"type\": \"dynamic-length-array\", \(location), \"element-field-class\": "
                + text(of: element, among: siblings) + "}"
        case .variant(let tag, let options):
            guard case .enumeration(_, let mappings)? = siblings.first(where: { $0.name == tag })?.shape else {
                preconditionFailure("no tag \(tag)")
            }
            let list = options.map { option in
                "{\"name\": \"\(option.name)\", \"selector-field-ranges\": "
                    + ranges(mappings.filter { $0.label == option.name }) + ", \"field-class\": "
                    + text(of: option.shape, among: [], hasRoles: hasRoles) + "}"
            }
            return "{\"type\": \"variant\", \"selector-field-location\": \(location(tag)), \"options\": ["
                + list.joined(separator: ", ") + "]}"
        }
    }

    private func name(of order: FieldShape.ByteOrder?) -> String {
        (order ?? native) == .be ? "big-endian" : "little-endian"
    }

    private func integer(_ shape: FieldShape.IntegerShape, _ role: String?, more: String = "") -> String {
        let roles = role.map { ", \"roles\": [\"\($0)\"]" } ?? ""
        return "{\"type\": \"fixed-length-\(shape.signed ? "" : "un")signed-integer\", \"length\": \(shape.size), "
            + "\"alignment\": \(shape.alignment), \"byte-order\": \"\(name(of: shape.order))\", "
            + "\"preferred-display-base\": \(shape.base)\(roles)\(more)}"
    }

    private func ranges(_ mappings: [(label: String, lower: Int64, upper: Int64)]) -> String {
        "[" + mappings.map { "[\($0.lower), \($0.upper)]" }.joined(separator: ", ") + "]"
    }

    private func location(_ reference: String) -> String {
        func path(_ text: some StringProtocol) -> String {
            "[" + text.split(separator: ".").map { "\"\(Self.name(String($0)))\"" }.joined(separator: ", ") + "]"
        }
        for (prefix, origin) in Self.origins where reference.hasPrefix(prefix) {
            return "{\"origin\": \"\(origin)\", \"path\": \(path(reference.dropFirst(prefix.count)))}"
        }
        return "{\"path\": \(path(reference))}"
    }
}

extension FieldShape {
    /// Whether the shape is a character of a text.
    fileprivate var isCharacter: Bool {
        guard case .integer(let shape) = self else { return false }
        return shape.encoding != nil
    }
}

extension DeclaredTrace {
    /// The trace's metadata in CTF 2; nil when the trace needs names for types or a clock that is implied.
    ///
    /// CTF 2 has no environment block of its own, no implied clock and no names of types.
    var fragments: String? {
        let text = FieldClassText(native: order)
        guard declarations.isEmpty, !clocks.isEmpty || streams.allSatisfy({ !$0.hasTimestamp }) else { return nil }
        guard streams.allSatisfy({ !$0.hasTimestamp || $0.clock != nil }) else { return nil }
        var fragments = [#"{"type": "preamble", "version": 2}"#]
        let environment = Self.attributes(environment).map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ")
        var traceClass = "{\"type\": \"trace-class\", \"environment\": {\(environment)}"
        if let packetHeader {
            traceClass += ", \"packet-header-field-class\": " + text.structure(packetHeader, hasRoles: true)
        }
        fragments.append(traceClass + "}")
        for clock in clocks {
            let values = Dictionary(Self.attributes(clock).map { ($0.name, $0.value) }) { $1 }
            fragments.append(
                """
                {"type": "clock-class", "id": "\(values["name"] ?? "")", "frequency": \(values["freq"] ?? "1000000000"),
                 "origin": "unix-epoch", "offset-from-origin": {"seconds": \(values["offset_s"] ?? "0"),
                 "cycles": \(values["offset"] ?? "0")}}
                """)
        }
        for stream in streams {
            var fragment = "{\"type\": \"data-stream-class\", \"id\": \(stream.id)"
            if let clock = stream.clock { fragment += ", \"default-clock-class-id\": \"\(clock)\"" }
            for (name, fields, hasRoles) in [
                ("packet-context", stream.packetContext, true), ("event-record-header", stream.eventHeader, true),
                ("event-record-common-context", stream.eventContext, false),
            ] {
                if let fields { fragment += ", \"\(name)-field-class\": \(text.structure(fields, hasRoles: hasRoles))" }
            }
            fragments.append(fragment + "}")
            for event in stream.events {
                var fragment = "{\"type\": \"event-record-class\", \"name\": \"\(event.name)\", \"id\": \(event.id), "
                fragment += "\"data-stream-class-id\": \(stream.id)"
                for (name, fields) in [("specific-context", event.context), ("payload", event.fields)] {
                    if let fields { fragment += ", \"\(name)-field-class\": \(text.structure(fields))" }
                }
                fragments.append(fragment + "}")
            }
        }
        return fragments.map { "\u{1E}\($0)\n" }.joined()
    }

    /// The attributes of a block of CTF 1.8: `name = value; …`.
    private static func attributes(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: ";").compactMap { attribute in
            let parts = attribute.split(separator: "=")
            guard parts.count == 2 else { return nil }
            func trimmed(_ part: Substring) -> String { part.split(separator: " ").joined(separator: " ") }
            return (trimmed(parts[0]), trimmed(parts[1]))
        }
    }
}

extension DeclaredTrace.Stream {
    fileprivate var hasTimestamp: Bool {
        (packetContext ?? []).contains { $0.name.hasPrefix("timestamp") }
            || (eventHeader ?? []).contains { $0.name == "timestamp" }
    }

    /// The clock that fields of the packet context or event header are mapped to.
    fileprivate var clock: String? {
        func clock(_ fields: [(name: String, shape: FieldShape)]) -> String? {
            for field in fields {
                switch field.shape {
                case .integer(let shape): if let clock = shape.clock { return clock }
                case .variant(_, let options): if let found = clock(options) { return found }
                case .structure(let fields, _): if let found = clock(fields) { return found }
                default: break
                }
            }
            return nil
        }
        return clock(eventHeader ?? []) ?? clock(packetContext ?? [])
    }
}
