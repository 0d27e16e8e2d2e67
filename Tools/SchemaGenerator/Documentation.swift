import TraceSchema

extension EventField {
    fileprivate var documentedType: String {
        switch type {
        case .u8: "u8"
        case .u16: "u16"
        case .u32: "u32"
        case .u48: "u48"
        case .u64: "u64"
        case .i64: "i64"
        case .enumeration(let enumeration): enumeration.snakeCaseName
        case .string: "string"
        case .addresses: "u48[]"
        }
    }
}

extension GeneratedFile {
    static var documentation: GeneratedFile {
        var text = """
            # Event catalogue

            Every event of the `\(EventCatalogue.provider)` provider, schema version \(SchemaVersion.current).

            <!-- \(notice) -->

            ## Overview

            The recorder writes these events as CTF 1.8, so babeltrace2 lists them by the same names and with the same
            fields as `queuescope events`. Times are in the event header, in ticks of the trace's clock. A thread's
            events are in that thread's stream, whose packets name the thread (`tid`); events marked *definitions* are
            in the process-wide definitions stream (`tid` 0).

            The tracepoints for LTTng have the same names and fields. Two more fields precede them, because LTTng has a
            stream per processor: `vpid` and `vtid`, the process and the thread (0 for *definitions*). Their log level
            is INFO for *definitions*, WARNING for the families misuse and log, and DEBUG for the others.


            """
        for enumeration in EventCatalogue.enumerations {
            let cases = enumeration.cases.map { "\($0.value) `\($0.name)`" }.joined(separator: ", ")
            text += "- term `\(enumeration.snakeCaseName)`: \(enumeration.summary) \(cases).\n"
        }
        for family in EventClass.Family.allCases {
            text += "\n## \(family.rawValue.prefix(1).uppercased() + family.rawValue.dropFirst())\n\n"
            text += "| event | id | since | what happened | fields |\n| --- | --- | --- | --- | --- |\n"
            for event in EventCatalogue.events where event.family == family {
                let fields = event.fields.map { field in
                    let unit = field.unit.map { " [\($0)]" } ?? ""
                    let since = event.isLater(field) ? " (since \(field.since))" : ""
                    return "`\(field.name)` \(field.documentedType)\(unit): \(field.summary)\(since)"
                }
                let note = event.stream == .definitions ? " *definitions*" : ""
                text += "| `\(event.name)` | \(event.id) | \(event.since) | \(event.summary)\(note) | "
                text += fields.joined(separator: "; ") + " |\n"
            }
        }
        return GeneratedFile(path: "Sources/TraceSchema/TraceSchema.docc/EventCatalogue.md", contents: text)
    }
}
