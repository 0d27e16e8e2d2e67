import ReportText

/// The description of the tables for programs and for the documentation, derived from the definitions of the tables.
public enum TableSchema {
    /// The name of the description in a directory of tables. It is a Frictionless Data Package
    /// (https://specs.frictionlessdata.io/tabular-data-package).
    public static let fileName = "datapackage.json"

    /// The version of the tables. The number changes when a column is renamed or removed.
    public static let version = "queuescope.tables/1"

    /// The description as JSON.
    public static func json() throws -> String {
        try JSONDocument.text(of: DataPackage(resources: TableName.allCases.map(DataPackage.Resource.init)))
    }

    /// The description in Markdown, one section per table, for the documentation.
    static var markdown: String {
        TableName.allCases.map { name in
            let table = name.table
            let key = table.key.map { "`\($0)`" }.joined(separator: ", ")
            var lines = ["### \(name.rawValue)", "", table.meaning + (key.isEmpty ? "" : " Key: \(key)."), ""]
            lines += ["| column | type | meaning |", "| --- | --- | --- |"]
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
    /// The name of the type in Frictionless Table Schema.
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
        if case .index(let other) = self, other != table || !isKey { return "`\(other.rawValue)`" }
        return frictionless
    }
}

extension ColumnDescription {
    /// The table that the values are keys of. Nil for other columns and for the key of the table itself.
    fileprivate func reference(in table: TableName) -> TableName? {
        guard case .index(let other) = type, other != table || !table.table.key.contains(name) else { return nil }
        return other
    }
}

extension TableName {
    /// The column that references to this table contain in addition to the process.
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
            fields = table.descriptions.map { Field($0, in: name) }
            primaryKey = table.key.isEmpty ? nil : table.key
            let keys = table.descriptions.compactMap { column -> ForeignKey? in
                // Optional columns have no foreign key: readers would report a missing row when one of the key's
                // columns is empty. References to the same table have none either: in a part of a trace, the referenced
                // row can have ended before the part, for example for `operation_item`.
                guard let other = column.reference(in: name), !column.isOptional, other != name else { return nil }
                guard other != .processes else {
                    return ForeignKey(
                        fields: ["process"], reference: .init(resource: other.rawValue, fields: ["process"]))
                }
                return ForeignKey(
                    fields: ["process", column.name],
                    reference: .init(resource: other.rawValue, fields: ["process", other.keyColumn]))
            }
            foreignKeys = keys.isEmpty ? nil : keys
        }
    }

    struct Field: Encodable {
        struct Constraints: Encodable { let required: Bool }

        let name: String
        let type: String
        /// Not part of the specification, which allows additional properties.
        let unit: String?
        let description: String
        let constraints: Constraints?
        /// The table and column that the value is a key of, in the same process. Not part of the specification either.
        let references: String?

        init(_ column: ColumnDescription, in table: TableName) {
            name = column.name
            type = column.type.frictionless
            unit = column.type.unit
            description = column.meaning
            // Text can be empty without being unknown.
            constraints = column.isOptional || column.type == .text ? nil : Constraints(required: true)
            references = column.reference(in: table).map { "\($0.rawValue).\($0.keyColumn)" }
        }
    }

    struct ForeignKey: Encodable {
        struct Reference: Encodable {
            let resource: String
            let fields: [String]
        }

        let fields: [String]
        let reference: Reference
    }
}
