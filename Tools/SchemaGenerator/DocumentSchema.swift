import Foundation
import TraceSchema

extension GeneratedFile {
    /// The JSON Schemas of the output of `report`, `check`, `diff`, `live` and `stuck`, from the types that are
    /// encoded.
    ///
    /// - Parameter package: the package's directory.
    /// - Returns: the files.
    /// - Throws: when a source file cannot be read or parsed.
    static func documentSchemas(in package: URL) throws -> [GeneratedFile] {
        var types = DocumentTypes()
        let modules = [
            "Sources/TraceReports", "Sources/DispatchAnalysis", "Sources/DispatchModel", "Sources/ProcessInspection",
        ]
        for module in modules {
            let folder = package.appendingPathComponent(module)
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for name in names where name.hasSuffix(".swift") {
                let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                types.read(source, file: "\(module)/\(name)")
            }
        }
        let documents = [
            ("Report", "TraceReports/JSON"), ("Check", "TraceReports/JSON"), ("Diff", "TraceReports/JSON"),
            ("Live", "TraceReports/JSON"), ("Stuck", "ProcessInspection/Report"),
        ]
        return try documents.map { name, folder in
            GeneratedFile(
                path: "Sources/\(folder)/\(name.lowercased()).schema.json",
                contents: try DocumentSchema.text(of: name, types))
        }
    }
}

/// The JSON Schema of a document, with a member for each stored property and a definition for each type that is not
/// nested in another.
struct DocumentSchema {
    /// Numbers are not negative, except `Int64`.
    private static let numbers = [
        "Int": "count", "Int32": "count", "UInt32": "count", "UInt64": "count", "Nanoseconds": "nanoseconds",
        "Timestamp": "nanoseconds",
    ]
    private static let keywords = [
        "count": #""type": "integer", "minimum": 0"#,
        "nanoseconds": #""type": "integer", "minimum": 0, "maximum": \#(Int64.max)"#,
        "Int64": #""type": "integer""#, "Double": #""type": "number", "minimum": 0"#,
        "String": #""type": "string""#, "Bool": #""type": "boolean""#,
    ]

    private let types: DocumentTypes
    private var definitions: JSONText.Members = []

    /// - Parameters:
    ///   - name: the name of the document. Its type has the suffix `Document`.
    ///   - types: all declared types.
    /// - Returns: the schema, with a final line feed.
    /// - Throws: ``DocumentTypes/Failure`` if a type has no equivalent in the schema.
    static func text(of name: String, _ types: DocumentTypes) throws -> String {
        guard let type = types.find(name + "Document") else {
            throw DocumentTypes.Failure(description: "no type is called \(name)Document")
        }
        var schema = DocumentSchema(types: types)
        let head: JSONText.Members = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("urn:queuescope:\(name.lowercased()):1")),
            ("$comment", .string("Generated from \(type.file) by Tools/generate-schema. Do not edit.")),
            ("title", .string("Queuescope \(name.lowercased())")),
        ]
        let members = try head + schema.keywords(of: type)
        return JSONText.object(members + [("$defs", .object(schema.definitions))]).text() + "\n"
    }

    private init(types: DocumentTypes) { self.types = types }

    /// The keywords for the type of a property.
    private mutating func keywords(
        of name: Substring, in scope: DocumentTypes.Declaration, _ line: DocumentTypes.Line
    ) throws -> JSONText.Members {
        if let match = name.wholeMatch(of: /\[(.+)\]/) {
            return try [("type", .string("array")), ("items", .object(keywords(of: match.1, in: scope, line)))]
        }
        if let number = Self.numbers[String(name)] {
            return reference(to: number) { _ in [("", .literal(Self.keywords[number]!))] }
        }
        if let plain = Self.keywords[String(name)] { return [("", .literal(plain))] }
        if let match = name.wholeMatch(of: /(\w+)<(.+)>/), let type = types.find(match.1) {
            let row = try keywords(of: match.2, in: scope, line)
            return [("allOf", .array([.object(row), .object(try use(type))]))]
        }
        if let enumeration = EventCatalogue.enumerations.first(where: { $0.name == name }) {
            return reference(to: enumeration.snakeCaseName) { _ in
                Self.describe(Self.list(enumeration.cases.map(\.name)), [enumeration.summary[...]])
            }
        }
        for vocabulary in Vocabulary.all {
            if vocabulary.name == name {
                return reference(to: Self.snakeCase(vocabulary.name)) { _ in
                    Self.describe(Self.list(vocabulary.terms.map(\.name)), [vocabulary.summary[...]])
                }
            }
            guard let parts = vocabulary.parts, parts.name == name else { continue }
            return try reference(to: Self.snakeCase(parts.name)) { schema in
                let members = try vocabulary.terms.map { term in
                    let duration = try schema.keywords(of: "Nanoseconds", in: scope, line)
                    return (term.name, JSONText.object(Self.describe(duration, [term.sentence[...]])))
                }
                let required = JSONText.array(vocabulary.terms.map { .string($0.name) })
                return Self.describe(
                    [("type", .string("object")), ("required", required), ("properties", .object(members))],
                    [parts.summary[...]])
            }
        }
        guard let type = types.find(name, in: scope.name) else {
            throw scope.failure(line, expected: "a type that is declared once")
        }
        return try use(type)
    }

    /// A reference to the definition of a type; for a nested type its keywords.
    private mutating func use(_ type: DocumentTypes.Declaration) throws -> JSONText.Members {
        guard !type.name.contains(".") else { return try keywords(of: type) }
        let name = type.name.replacing(/Document$/, with: "")
        return try reference(to: Self.snakeCase(name)) { try $0.keywords(of: type) }
    }

    private mutating func reference(
        to name: String, _ keywords: (inout Self) throws -> JSONText.Members
    ) rethrows -> JSONText.Members {
        if !definitions.contains(where: { $0.key == name }) {
            let position = definitions.count
            definitions.append((name, .object([])))
            definitions[position].value = .object(try keywords(&self))
        }
        return [("$ref", .string("#/$defs/\(name)"))]
    }

    /// The keywords for a type declaration. Keywords at the end of its comment take precedence.
    private mutating func keywords(of type: DocumentTypes.Declaration) throws -> JSONText.Members {
        let comment = type.line.comment
        if let written = comment.last, written.hasPrefix("\"") {
            return Self.describe([("", .literal(String(written)))], comment.dropLast())
        }
        switch type.keyword {
        case "typealias":
            let keywords = try keywords(of: type.rest.dropFirst(" = ".count), in: type, type.line)
            return Self.describe(keywords, comment)
        case "enum":
            let values = try types.cases(of: type).map { String($0.rawValue ?? $0.name) }
            return Self.describe(
                Self.list(type.rest.hasPrefix(": String") ? values : values.map(Self.snakeCase)), comment)
        default: return Self.describe(try members(of: type), comment)
        }
    }

    private mutating func members(of type: DocumentTypes.Declaration) throws -> JSONText.Members {
        let flattened = try types.flattenedProperty(of: type)
        let keys = try types.find(type.name + ".CodingKeys").map { declaration in
            try types.cases(of: declaration).reduce(into: [:]) { $0[$1.name] = String($1.rawValue ?? $1.name) }
        }
        var required: [JSONText] = []
        var members: JSONText.Members = []
        var whole: JSONText?
        for property in try types.properties(of: type) {
            let isOptional = property.type?.hasSuffix("?") == true
            // The members of a generic argument are added where the type is used.
            if property.name == flattened, type.rest.hasPrefix("<") { continue }
            let keywords: JSONText.Members
            if let name = property.type {
                keywords = try self.keywords(of: isOptional ? name.dropLast() : name, in: type, property.line)
            } else if let value = property.value, value.hasPrefix("\"") {
                keywords = [("const", .literal(String(value)))]
            } else {
                throw type.failure(property.line, expected: "a type")
            }
            if property.name == flattened {
                whole = .object(keywords)
                continue
            }
            guard let key = keys.map({ $0[property.name] }) ?? String(property.name) else {
                throw type.failure(property.line, expected: "a property that has a case in CodingKeys")
            }
            if !isOptional { required.append(.string(key)) }
            members.append((key, .object(Self.describe(keywords, property.line.comment))))
        }
        let list: JSONText.Members = [
            ("type", .string("object")), ("required", .array(required)), ("properties", .object(members)),
        ]
        return whole.map { [("allOf", .array([$0, .object(list)]))] } ?? list
    }

    private static func list(_ names: [String]) -> JSONText.Members { [("enum", .array(names.map { .string($0) }))] }

    /// Adds the comment as description. Without a comment, an existing description stays.
    private static func describe(_ keywords: JSONText.Members, _ comment: [Substring]) -> JSONText.Members {
        let text = comment.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? keywords : [("description", .string(text))] + keywords.filter { $0.key != "description" }
    }

    private static func snakeCase(_ name: String) -> String {
        name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.lowercased()
    }
}
