import TraceSchema

extension EventField {
    fileprivate var tsdlDeclarations: [String] {
        let hexadecimal = base == .hexadecimal
        switch type {
        case .u8: return ["\(hexadecimal ? "hex8_t" : "uint8_t") \(name);"]
        case .u16: return ["uint16_t \(name);"]
        case .u32: return ["uint32_t \(name);"]
        case .u48: return ["\(hexadecimal ? "hex48_t" : "uint48_t") \(name);"]
        case .u64: return ["uint64_t \(name);"]
        case .i64: return ["int64_t \(name);"]
        case .enumeration(let enumeration): return ["enum \(enumeration.snakeCaseName) \(name);"]
        case .string: return ["string \(name);"]
        case .addresses: return ["uint16_t _\(name)_length;", "hex48_t \(name)[_\(name)_length];"]
        }
    }
}

extension GeneratedFile {
    /// The part of the metadata that depends only on the catalogue, as the body of a C string literal. The recorder
    /// writes the rest (trace, environment, clock, stream) before it, with the values of the session.
    static var metadata: GeneratedFile {
        var tsdl = ""
        for enumeration in EventCatalogue.enumerations {
            let cases = enumeration.cases.map { "\"\($0.name)\" = \($0.value)" }.joined(separator: ", ")
            tsdl += "enum \(enumeration.snakeCaseName) : uint8_t { \(cases) };\n\n"
        }
        for event in EventCatalogue.events {
            tsdl += "event {\n\tname = \"\(EventCatalogue.provider):\(event.name)\";\n\tid = \(event.id);\n"
            tsdl += "\tstream_id = 0;\n\tfields := struct {\n"
            for declaration in event.fields.flatMap(\.tsdlDeclarations) { tsdl += "\t\t\(declaration)\n" }
            tsdl += "\t};\n};\n\n"
        }
        let literal = tsdl.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { "\"\($0.replacing("\"", with: "\\\"").replacing("\t", with: "\\t"))\\n\"\n" }.joined()
        return GeneratedFile(
            path: "Sources/CTraceRecorder/Drain/metadata_events.generated.h", contents: "// \(notice)\n" + literal)
    }
}
