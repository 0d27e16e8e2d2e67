import Testing

@testable import SchemaGenerator

@Suite("The JSON Schema of document types") struct DocumentSchemaTests {
    private func schema(_ source: String) throws -> String {
        var types = DocumentTypes()
        types.read(source, file: "Document.swift")
        return try DocumentSchema.text(of: "Report", types)
    }

    @Test("has a member for each stored property, with the keywords of its type")
    func members() throws {
        let text = try schema(
            """
            /// One row.
            struct RowDocument: Encodable {
                enum Kind: String, Encodable { case plain, withTail = "with_tail" }

                let kind: Kind
                /// In nanoseconds.
                var time: Nanoseconds?
                let share: Share

                enum CodingKeys: String, CodingKey {
                    case kind,
                        share
                    case time = "time_ns"
                }
            }

            /// A part.
            /// "type": "number", "maximum": 1
            typealias Share = Double

            /// Says whose a row is.
            struct Placed<Row: Encodable>: Encodable {
                let row: Row
                let host: String

                enum CodingKeys: CodingKey { case host }

                func encode(to encoder: any Encoder) throws {
                    try row.encode(to: encoder)
                }
            }

            private struct ReportDocument: Encodable {
                static let limit = 3
                let schema = "queuescope.report/1"
                let rows: [Placed<RowDocument>]
                var count: Int { rows.count }
            }
            """)
        let found = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(
            found.hasSuffix(
                """
                "type": "object", "required": ["schema", "rows"], "properties": { \
                "schema": { "const": "queuescope.report/1" }, "rows": { "type": "array", \
                "items": { "allOf": [{ "$ref": "#/$defs/row" }, { "$ref": "#/$defs/placed" }] } } }, \
                "$defs": { "row": { "description": "One row.", "type": "object", "required": ["kind", "share"], \
                "properties": { "kind": { "enum": ["plain", "with_tail"] }, \
                "time_ns": { "description": "In nanoseconds.", "$ref": "#/$defs/nanoseconds" }, \
                "share": { "$ref": "#/$defs/share" } } }, \
                "nanoseconds": { "type": "integer", "minimum": 0, "maximum": 9223372036854775807 }, \
                "share": { "description": "A part.", "type": "number", "maximum": 1 }, "placed": { \
                "description": "Says whose a row is.", "type": "object", "required": ["host"], \
                "properties": { "host": { "type": "string" } } } } }
                """), "\(found)")
    }

    @Test(
        "is not written from a source that is not understood; the error names the line",
        arguments: [
            ("let value = other()", "a type"),
            ("let value: Missing", "a type that is declared once"),
            ("let value: [Twice]", "a type that is declared once"),
            ("let first, second: Int", "a property with its type"),
            ("lazy var value: Int = 1", "a property with its type"),
            ("let hidden: Int", "a property that has a case in CodingKeys"),
            ("func encode(to encoder: any Encoder) throws {}", "one statement `try property.encode"),
        ])
    func notUnderstood(member: String, expected: String) throws {
        let error = #expect(throws: DocumentTypes.Failure.self) {
            try schema(
                """
                struct Twice {}
                struct Twice {}
                struct ReportDocument: Encodable {
                    \(member)
                    enum CodingKeys: String, CodingKey { case value, first, second }
                }
                """)
        }
        #expect(error?.description.hasPrefix("Document.swift:4: expected \(expected)") == true, "\(error as Any)")
    }

    @Test("is not generated for an enumeration with explicit values")
    func associatedValues() throws {
        let error = #expect(throws: DocumentTypes.Failure.self) {
            try schema("enum Kind { case plain, other(Int) }\nstruct ReportDocument {\n    let kind: Kind\n}")
        }
        #expect(error?.description.hasPrefix("Document.swift:1: expected cases with a name") == true, "\(error as Any)")
    }
}
