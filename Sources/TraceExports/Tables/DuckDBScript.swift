/// The script that loads a directory of tables into DuckDB with explicit column types.
///
/// Without them, DuckDB infers types from the values, so a column that is empty in a trace would become text.
public enum DuckDBScript {
    /// The name of the script in a directory of tables.
    public static let fileName = "load.sql"

    /// The script. It creates one table per file, with the same name.
    public static var text: String {
        let head = "-- Loads the tables with their types: duckdb -init \(fileName) in this directory.\n"
        return head + TableName.allCases.map(statement).joined()
    }

    private static func statement(_ table: TableName) -> String {
        let columns = table.table.descriptions.map { "  '\($0.name)': '\($0.type.duckDB)'" }
        return """
            CREATE OR REPLACE TABLE \(table.rawValue) AS FROM read_csv('\(table.fileName)', header = true, \
            auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', columns = {
            \(columns.joined(separator: ",\n"))
            });

            """
    }
}

extension TableValueType {
    fileprivate var duckDB: String {
        switch self {
        case .integer, .instant, .duration, .index: "BIGINT"
        case .number: "DOUBLE"
        case .text: "VARCHAR"
        case .boolean: "BOOLEAN"
        }
    }
}
