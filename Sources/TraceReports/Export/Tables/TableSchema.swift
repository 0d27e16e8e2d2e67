/// What the tables mean, for machines and for people; both from the definitions of the tables.
public enum TableSchema {
    /// The name of the description in a directory of tables: a Frictionless Data Package
    /// (https://specs.frictionlessdata.io/tabular-data-package).
    public static let fileName = "datapackage.json"

    /// The version of the tables: the number changes when a column is renamed or goes.
    public static let version = "queuescope.tables/1"

    /// The description as JSON.
    public static func json() throws -> String {
        try JSONDocument.text(of: DataPackage(resources: TableName.allCases.map(DataPackage.Resource.init)))
    }

    /// The description as a section per table for the documentation.
    static var markdown: String {
        TableName.allCases.map { name in
            let table = name.table
            let key = table.key.map { "`\($0)`" }.joined(separator: ", ")
            var lines = ["### \(name.rawValue)", "", table.meaning + (key.isEmpty ? "" : " Key: \(key)."), ""]
            lines += ["| column | type | what it says |", "| --- | --- | --- |"]
            for column in table.descriptions {
                let type = column.type.words(in: name, isKey: table.key.contains(column.name))
                let empty = column.isOptional ? ", or empty" : ""
                lines.append("| `\(column.name)` | \(type)\(empty) | \(column.meaning) |")
            }
            return lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}

extension TableValueType {
    /// The type's name in Frictionless Table Schema.
    fileprivate var frictionless: String {
        switch self {
        case .integer, .instant, .duration, .index: "integer"
        case .number: "number"
        case .text: "string"
        case .boolean: "boolean"
        }
    }

    fileprivate var unit: String? { self == .instant || self == .duration ? "ns" : nil }

    fileprivate func words(in table: TableName, isKey: Bool) -> String {
        switch self {
        case .index(let other) where !(other == table && isKey): "`\(other.rawValue)`"
        default: frictionless
        }
    }
}

extension TableName {
    /// The columns that a reference to this table needs besides the process; the last of its key.
    fileprivate var keyColumn: String { table.key[table.key.count - 1] }
}

private struct DataPackage: Encodable {
    let name = "queuescope-tables"
    let profile = "tabular-data-package"
    let version = TableSchema.version
    let resources: [Resource]

    struct Resource: Encodable {
        let name: String
        let path: String
        let profile = "tabular-data-resource"
        let format = "csv"
        let encoding = "utf-8"
        let description: String
        let schema: Schema

        init(_ table: TableName) {
            name = table.rawValue
            path = table.fileName
            description = table.table.meaning
            schema = Schema(table)
        }
    }

    struct Schema: Encodable {
        let fields: [Field]
        let primaryKey: [String]?
        let foreignKeys: [ForeignKey]?
        let missingValues = [""]

        init(_ name: TableName) {
            let table = name.table
            fields = table.descriptions.map(Field.init)
            primaryKey = table.key.isEmpty ? nil : table.key
            let keys = table.descriptions.compactMap { column -> ForeignKey? in
                guard case .index(let other) = column.type, other != name || !table.key.contains(column.name)
                else { return nil }
                guard other != .processes else {
                    return ForeignKey(
                        fields: ["process"], reference: .init(resource: other.rawValue, fields: ["process"]))
                }
                return ForeignKey(
                    fields: ["process", column.name],
                    reference: .init(
                        resource: other == name ? "" : other.rawValue, fields: ["process", other.keyColumn]))
            }
            foreignKeys = keys.isEmpty ? nil : keys
        }
    }

    struct Field: Encodable {
        struct Constraints: Encodable { let required: Bool }

        let name: String
        let type: String
        /// Not of the specification, which allows further properties.
        let unit: String?
        let description: String
        let constraints: Constraints?

        init(_ column: ColumnDescription) {
            name = column.name
            type = column.type.frictionless
            unit = column.type.unit
            description = column.meaning
            // Text may be empty without being unknown.
            constraints = column.isOptional || column.type == .text ? nil : Constraints(required: true)
        }
    }

    struct ForeignKey: Encodable {
        struct Reference: Encodable {
            /// Empty for the table itself.
            let resource: String
            let fields: [String]
        }

        let fields: [String]
        let reference: Reference
    }
}
