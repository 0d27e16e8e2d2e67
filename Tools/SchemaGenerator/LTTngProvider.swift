import TraceSchema

extension EventClass {
    /// LTTng's log level. `lttng enable-event -u 'dispatch:*' --loglevel=INFO` selects a level and all more important
    /// ones.
    ///
    /// So a session can select definitions, which other events refer to, and rare events that indicate problems.
    var logLevel: (name: String, value: Int) {
        switch family {
        case .misuse, .log: ("WARNING", 4)
        default: isDefinition ? ("INFO", 6) : ("DEBUG", 14)
        }
    }

    /// LTTng compares the signatures of a tracepoint and its probe to check that they have the same fields.
    fileprivate var signature: String {
        fields.map { "\($0.name):\($0.type.lttngSignature)" }.joined(separator: ",")
    }
}

extension EventField.FieldType {
    fileprivate var lttngSignature: String {
        switch self {
        case .enumeration(let enumeration): enumeration.snakeCaseName
        default: "\(self)"
        }
    }
}

extension EventField {
    /// The descriptions of the field, with the same layout as in traces of the ring buffer.
    fileprivate var lttngFields: [String] {
        let base = base == .hexadecimal ? 16 : 10
        func integer(_ bits: Int, isSigned: Bool = false) -> String {
            "QS_FIELD(\"\(name)\", QS_INTEGER(\(bits), \(isSigned ? 1 : 0), \(base)))"
        }
        switch type {
        case .u8: return [integer(8)]
        case .u16: return [integer(16)]
        case .u32: return [integer(32)]
        case .u48: return [integer(48)]
        case .u64: return [integer(64)]
        case .i64: return [integer(64, isSigned: true)]
        case .enumeration(let enumeration):
            return ["QS_FIELD(\"\(name)\", QS_ENUMERATION(\(enumeration.snakeCaseName)))"]
        case .string: return ["QS_FIELD(\"\(name)\", QS_STRING)"]
        case .addresses:
            return [
                "QS_LENGTH_FIELD(\"\(name)_length\", QS_INTEGER(16, 0, 10))",
                "QS_FIELD(\"\(name)\", QS_SEQUENCE(\"\(name)_length\", QS_INTEGER(48, 0, \(base))))",
            ]
        }
    }
}

extension GeneratedFile {
    /// The description of the provider for LTTng-UST. It consists of tables only; all events share the same code.
    static var lttngProvider: GeneratedFile {
        var text = """
            // \(notice)
            #include "lttng_provider.h"


            """
        for enumeration in EventCatalogue.enumerations {
            text += "QS_DEFINE_ENUMERATION(\(enumeration.snakeCaseName)"
            for item in enumeration.cases { text += ",\n\tQS_CASE(\"\(item.name)\", \(item.value))" }
            text += ");\n\n"
        }
        for event in EventCatalogue.events {
            text += "QS_DEFINE_EVENT(\(event.id), \(event.name), QS_LOGLEVEL_\(event.logLevel.name), "
            text += "\"\(event.signature)\""
            for field in event.fields.flatMap(\.lttngFields) { text += ",\n\t\(field)" }
            text += ");\n\n"
        }
        text += "static const struct qs_ust_event_desc *const events[] = {\n"
        text += EventCatalogue.events.map { "\t&event_\($0.id),\n" }.joined()
        text += """
            };

            const struct qs_ust_probe_desc qs_lttng_provider = {
            \t.struct_size = sizeof(struct qs_ust_probe_desc),
            \t.provider_name = "\(EventCatalogue.provider)",
            \t.event_desc = events,
            \t.nr_events = sizeof events / sizeof events[0],
            \t.major = QS_UST_PROVIDER_MAJOR,
            \t.minor = QS_UST_PROVIDER_MINOR,
            };

            struct qs_ust_tracepoint *const qs_lttng_tracepoints[QS_LTTNG_IDS] = {

            """
        text += EventCatalogue.events.map { "\t[\($0.id)] = &tracepoint_\($0.id),\n" }.joined()
        text += """
            };

            struct qs_ust_tracepoint *const qs_lttng_module[] = {

            """
        text += EventCatalogue.events.map { "\t&tracepoint_\($0.id),\n" }.joined()
        text += """
            };

            const int qs_lttng_module_count = sizeof qs_lttng_module / sizeof qs_lttng_module[0];

            """
        return GeneratedFile(path: "Sources/CTraceRecorder/LTTng/lttng_provider.generated.c", contents: text)
    }
}
