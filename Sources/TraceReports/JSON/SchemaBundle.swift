import CReportAssets
import Foundation

/// A JSON Schema together with the definitions that it takes from the report's: one file, for any validator.
enum SchemaBundle {
    /// - Parameter schema: the schema that uses definitions of `report.schema.json`.
    /// - Returns: the schema with these definitions in it; its own come first.
    static func text(_ schema: [UInt8]) -> String {
        func object(_ bytes: [UInt8]) -> [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
        }
        var bundle = object(schema)
        let own = bundle["$defs"] as? [String: Any] ?? [:]
        let shared = object([UInt8](QS_ASSET_REPORT_SCHEMA))["$defs"] as? [String: Any] ?? [:]
        bundle["$defs"] = own.merging(shared) { own, _ in own }
        let data = try? JSONSerialization.data(
            withJSONObject: bundle, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
    }
}
