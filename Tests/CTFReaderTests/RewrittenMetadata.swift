@testable import CTFReader

/// The metadata of a trace of CTF 1.8, rewritten as the fragments that LTTng 2.15 writes.
struct RewrittenMetadata {
    private let description: TraceDescription

    init(_ trace: CTFTrace) { description = trace.plan.description }

    /// The roles of LTTng's reserved names.
    private static let roles = [
        "magic": "packet-magic-number", "stream_id": "data-stream-class-id", "stream_instance_id": "data-stream-id",
        "timestamp_begin": "default-clock-timestamp", "timestamp_end": "packet-end-default-clock-timestamp",
        "content_size": "packet-content-length", "packet_size": "packet-total-length",
        "packet_seq_num": "packet-sequence-number", "events_discarded": "discarded-event-record-counter-snapshot",
        "id": "event-record-class-id", "timestamp": "default-clock-timestamp",
    ]

    /// The JSON text sequence.
    var text: String {
        let uuid = description.uuid.map { ", \"uuid\": [\($0.map { "\($0)" }.joined(separator: ", "))]" } ?? ""
        var fragments = ["{\"type\": \"preamble\", \"version\": 2\(uuid)}"]
        let environment = description.environment.map { name, value in
            switch value {
            case .string(let text): "\"\(name)\": \"\(text)\""
            case .integer(let number): "\"\(name)\": \(number)"
            }
        }
        fragments.append(
            "{\"type\": \"trace-class\", \"namespace\": \"lttng.org,2009\", \"name\": \"\", \"environment\": {"
                + environment.joined(separator: ", ") + "}"
                + scope("packet-header", description.packetHeader, hasRoles: true) + "}")
        for clock in description.clocks {
            fragments.append(
                "{\"type\": \"clock-class\", \"id\": \"\(clock.name)\", \"name\": \"\(clock.name)\", "
                    + "\"frequency\": \(clock.frequency), \"origin\": \"unix-epoch\", \"offset-from-origin\": "
                    + "{\"seconds\": \(clock.offsetSeconds), \"cycles\": \(clock.offsetCycles)}"
                    + (clock.uuid.map { ", \"uid\": \"\($0)\"" } ?? "") + "}")
        }
        for stream in description.streams {
            let clock = description.clocks.first.map { ", \"default-clock-class-id\": \"\($0.name)\"" } ?? ""
            fragments.append(
                "{\"type\": \"data-stream-class\", \"id\": \(stream.id)\(clock)"
                    + scope("packet-context", stream.packetContext, hasRoles: true)
                    + scope("event-record-header", stream.eventHeader, hasRoles: true)
                    + scope("event-record-common-context", stream.eventContext) + "}")
        }
        for event in description.events {
            fragments.append(
                "{\"type\": \"event-record-class\", \"id\": \(event.id), \"data-stream-class-id\": \(event.streamID), "
                    + "\"name\": \"\(event.name)\", \"attributes\": {\"lttng.org,2009\": {\"log-level\": \"info\"}}"
                    + scope("specific-context", event.context) + scope("payload", event.fields) + "}")
        }
        return fragments.map { "\u{1E}\($0)" }.joined()
    }

    private func scope(_ name: String, _ type: CTFFieldType?, hasRoles: Bool = false) -> String {
        type.map { ", \"\(name)-field-class\": \(text(of: $0, [], hasRoles: hasRoles))" } ?? ""
    }

    private func text(
        of type: CTFFieldType, _ siblings: [CTFField], name: String = "", hasRoles: Bool = false
    ) -> String {
        switch type {
        case .integer(let integer): return text(of: integer, name, hasRoles: hasRoles)
        case .enumeration(let enumeration):
            let labels = Dictionary(grouping: enumeration.mappings) { $0.label }
            let mappings = labels.map { "\"\($0.key)\": \(ranges($0.value, enumeration.container))" }
            return text(
                of: enumeration.container, name, hasRoles: hasRoles,
                more: ", \"mappings\": {\(mappings.joined(separator: ", "))}")
        case .float(let float):
            return "{\"type\": \"fixed-length-floating-point-number\", \"length\": \(float.size), \"byte-order\": "
                + "\"\(order(float.isBigEndian))\", \"alignment\": \(float.alignment)}"
        case .string: return "{\"type\": \"null-terminated-string\"}"
        case .structure(let structure):
            let members = structure.fields.map { field in
                let type = text(of: field.type, structure.fields, name: field.name, hasRoles: hasRoles)
                return "{\"name\": \"\(field.name)\", \"field-class\": \(type)}"
            }
            return "{\"type\": \"structure\", \"minimum-alignment\": \(structure.minimumAlignment), "
                + "\"member-classes\": [\(members.joined(separator: ", "))]}"
        case .array(let element, let count):
            if hasRoles, name == "uuid" {
                return "{\"type\": \"static-length-blob\", \"length\": \(count), \"roles\": [\"metadata-stream-uuid\"]}"
            }
            if isCharacter(element) { return "{\"type\": \"static-length-string\", \"length\": \(count)}" }
            return "{\"type\": \"static-length-array\", \"length\": \(count), "
                + "\"element-field-class\": \(text(of: element, siblings))}"
        case .sequence(let element, let length):
            let location = "\"length-field-location\": \(location(length))"
            if isCharacter(element) { return "{\"type\": \"dynamic-length-string\", \(location)}" }
            return "{\"type\": \"dynamic-length-array\", \(location), "
                + "\"element-field-class\": \(text(of: element, siblings))}"
        case .variant(let variant):
            guard let tag = variant.tag, let field = siblings.first(where: { $0.declaredName == tag.path.last }),
                case .enumeration(let enumeration) = field.type
            else { preconditionFailure("the tag is not in the same structure") }
            let options = variant.options.map { option in
                let mappings = enumeration.mappings.filter { $0.label == option.name }
                return "{\"name\": \"\(option.name)\", \"selector-field-ranges\": "
                    + "\(ranges(mappings, enumeration.container)), \"field-class\": "
                    + "\(text(of: option.type, [], hasRoles: hasRoles))}"
            }
            return "{\"type\": \"variant\", \"selector-field-location\": \(location(tag)), "
                + "\"options\": [\(options.joined(separator: ", "))]}"
        case .boolean, .bitMap, .optional, .aligned, .blob: preconditionFailure("no type of CTF 1.8")
        }
    }

    private func isCharacter(_ type: CTFFieldType) -> Bool {
        guard case .integer(let integer) = type else { return false }
        return integer.encoding != .none
    }

    private func order(_ isBigEndian: Bool) -> String { isBigEndian ? "big-endian" : "little-endian" }

    private func text(of type: CTFIntegerType, _ name: String, hasRoles: Bool, more: String = "") -> String {
        let role = hasRoles ? Self.roles[name].map { ", \"roles\": [\"\($0)\"]" } ?? "" : ""
        return "{\"type\": \"fixed-length-\(type.isSigned ? "" : "un")signed-integer\", \"length\": \(type.size), "
            + "\"byte-order\": \"\(order(type.isBigEndian))\", \"alignment\": \(type.alignment), "
            + "\"preferred-display-base\": \(type.base)\(role)\(more)}"
    }

    private func ranges(_ mappings: [CTFEnumerationType.Mapping], _ container: CTFIntegerType) -> String {
        func number(_ bits: UInt64) -> String { container.isSigned ? "\(Int64(bitPattern: bits))" : "\(bits)" }
        return "[" + mappings.map { "[\(number($0.lower)), \(number($0.upper))]" }.joined(separator: ", ") + "]"
    }

    /// The location of a field in the same structure.
    private func location(_ reference: CTFFieldReference) -> String {
        let name = reference.path.last ?? ""
        return "{\"path\": [\"\(name.hasPrefix("_") ? String(name.dropFirst()) : name)\"]}"
    }
}
