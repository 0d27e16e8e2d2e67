import TraceSchema

extension EventField {
    /// The C parameters of the writer for this value.
    fileprivate var cParameters: String {
        switch type {
        case .u8, .enumeration: "uint8_t \(cName)"
        case .u16: "uint16_t \(cName)"
        case .u32: "uint32_t \(cName)"
        case .u48, .u64: "uint64_t \(cName)"
        case .i64: "int64_t \(cName)"
        case .string: "const char *\(cName), size_t \(cName)_length"
        case .addresses: "const uint64_t *\(cName), uint16_t \(cName)_count"
        }
    }

    /// The parameters as arguments of a call.
    fileprivate var cArguments: String {
        switch type {
        case .string: "\(cName), \(cName)_length"
        case .addresses: "\(cName), \(cName)_count"
        default: cName
        }
    }

    /// The statement that stores the value at `cursor` and advances the cursor.
    fileprivate var cStore: String {
        switch type {
        case .u8, .enumeration: "cursor = qs_store_u8(cursor, \(cName));"
        case .u16: "cursor = qs_store_u16(cursor, \(cName));"
        case .u32: "cursor = qs_store_u32(cursor, \(cName));"
        case .u48: "cursor = qs_store_u48(cursor, \(cName));"
        case .u64: "cursor = qs_store_u64(cursor, \(cName));"
        case .i64: "cursor = qs_store_u64(cursor, (uint64_t)\(cName));"
        case .string: "cursor = qs_store_string(cursor, \(cName), \(cName)_length);"
        case .addresses: "cursor = qs_store_addresses(cursor, \(cName), \(cName)_count);"
        }
    }

    /// The expression for the size of a value of variable size.
    fileprivate var cDynamicSize: String? {
        switch type {
        case .string: "\(cName)_length + 1"
        case .addresses: "2 + 6 * (size_t)\(cName)_count"
        default: nil
        }
    }

    /// The statement that limits a string or a list of addresses to its maximum size.
    fileprivate var cClamp: String? {
        switch type {
        case .string: "\(cName)_length = qs_clamp_string(\(cName), \(cName)_length);"
        case .addresses: "if (\(cName)_count > QS_MAX_FRAMES) \(cName)_count = QS_MAX_FRAMES;"
        default: nil
        }
    }

    /// The parameter's name in C. Only C keywords need another name.
    fileprivate var cName: String { name == "signed" ? "is_signed" : name }
}

extension EventClass {
    fileprivate var cFunction: String { "qs_record_\(name)" }

    fileprivate var cSignature: String {
        "void \(cFunction)(" + (fields.isEmpty ? "void" : fields.map(\.cParameters).joined(separator: ", ")) + ")"
    }

    fileprivate var cSizeExpression: String {
        var fixed = 0
        var terms: [String] = []
        for field in fields {
            if let size = field.type.fixedSize { fixed += size } else { terms.append(field.cDynamicSize!) }
        }
        return (["\(fixed)"] + terms).joined(separator: " + ")
    }

    private var cArguments: String { fields.map(\.cArguments).joined(separator: ", ") }

    private var cStores: [String] { fields.map(\.cStore) }

    /// The function that writes the event. For events that are no definitions, its slow path precedes it.
    fileprivate var cDefinition: String {
        if stream == .definitions {
            return function(
                cSignature,
                [
                    "unsigned char *cursor = qs_definition_begin(\(id), \(cSizeExpression));",
                    "if (cursor == NULL) return;",
                ]
                    + cStores + ["qs_definition_end(cursor);"])
        }
        let slow = function(
            "static QS_SLOW_PATH " + cSignature.replacing("qs_record_", with: "slow_"),
            [
                "struct qs_writing writing;",
                "unsigned char *cursor = qs_event_begin_slow(&writing, \(id), \(cSizeExpression));",
                "if (cursor == NULL) return;",
            ] + cStores + ["qs_event_end_slow(&writing, cursor);"])
        let fast = function(
            cSignature,
            [
                "struct qs_writing writing;",
                "unsigned char *cursor = qs_event_begin(&writing, \(id), \(cSizeExpression));",
                "if (qs_unlikely(cursor == NULL)) {", "\tslow_\(name)(\(cArguments));", "\treturn;", "}",
            ] + cStores + ["qs_event_end(&writing, cursor);"])
        return slow + "\n" + fast
    }

    private func function(_ signature: String, _ statements: [String]) -> String {
        let lines = fields.compactMap(\.cClamp) + statements
        return "\(signature)\n{\n" + lines.map { "\t" + $0 + "\n" }.joined() + "}\n"
    }
}

extension GeneratedFile {
    static var writersHeader: GeneratedFile {
        var text = """
            // \(notice)
            #ifndef QS_EVENT_WRITERS_GENERATED_H
            #define QS_EVENT_WRITERS_GENERATED_H

            #include <stddef.h>
            #include <stdint.h>

            // One function per event class. Context: any thread. In a signal handler that interrupted a writer of the
            // same thread, the event is counted as discarded. Allocates: never. Blocks: never, except functions marked
            // "definitions", which take the definitions lock. Does nothing while no session records.


            """
        for enumeration in EventCatalogue.enumerations {
            text += "// \(enumeration.summary)\n"
            text += "enum \(enumeration.cName) {\n"
            for item in enumeration.cases {
                text += "\t\(enumeration.cName)_\(item.name) = \(item.value),\n"
            }
            text += "};\n\n"
        }
        for event in EventCatalogue.events {
            let note = event.stream == .definitions ? " (definitions)" : ""
            text += "// \(event.summary)\(note)\n\(event.cSignature);\n\n"
        }
        return GeneratedFile(
            path: "Sources/CTraceRecorder/include/event_writers.generated.h", contents: text + "#endif\n")
    }

    static var writersSource: GeneratedFile {
        var text = """
            // \(notice)
            #include "event_writers.generated.h"

            #include "event_writing.h"

            _Static_assert(QS_SCHEMA_MAJOR == \(SchemaVersion.current.major), "schema version of event_writing.h");
            _Static_assert(QS_SCHEMA_MINOR == \(SchemaVersion.current.minor), "schema version of event_writing.h");


            """
        text += EventCatalogue.events.map(\.cDefinition).joined(separator: "\n")
        return GeneratedFile(path: "Sources/CTraceRecorder/Events/event_writers.generated.c", contents: text)
    }
}

extension EventClass {
    /// The layout from which the recorder finds the event's end: runs of fixed-size bytes, and fields of variable size.
    fileprivate var cShape: String {
        var steps: [String] = []
        var fixed = 0
        func endRun() {
            if fixed > 0 { steps.append("\(fixed)") }
            fixed = 0
        }
        for field in fields {
            switch field.type {
            case .string:
                endRun()
                steps.append("STRING")
            case .addresses:
                endRun()
                steps.append("ADDRESSES")
            default: fixed += field.type.fixedSize!
            }
        }
        endRun()
        return steps.isEmpty ? "NO_FIELDS" : steps.joined(separator: ", ")
    }
}

extension GeneratedFile {
    static var eventShapes: GeneratedFile {
        let rows = EventCatalogue.events.map { "[\($0.id)] = {\($0.cShape)}, // \($0.name)\n" }
        return GeneratedFile(
            path: "Sources/CTraceRecorder/Events/event_shapes.generated.h", contents: "// \(notice)\n" + rows.joined())
    }
}

extension Enumeration {
    /// `ItemKind` becomes `qs_item_kind`, `QoSClass` becomes `qs_qos_class`.
    fileprivate var cName: String { "qs_" + snakeCaseName }

    var snakeCaseName: String {
        var result = ""
        for character in name.replacing("QoS", with: "Qos") {
            if character.isUppercase, !result.isEmpty { result.append("_") }
            result.append(character.lowercased())
        }
        return result
    }
}
