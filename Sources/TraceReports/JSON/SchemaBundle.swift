import CReportAssets
import FoundationEssentials

/// A JSON Schema together with the definitions that it takes from the report's: one file, for any validator.
enum SchemaBundle {
    /// - Parameter schema: the schema that uses definitions of `report.schema.json`.
    /// - Returns: the schema with these definitions in it; its own come first.
    static func text(_ schema: [UInt8]) -> String {
        var bundle = object(schema)
        let own = members(bundle["$defs"])
        let shared = members(object([UInt8](QS_ASSET_REPORT_SCHEMA))["$defs"])
        bundle["$defs"] = .object(own.merging(shared) { own, _ in own })
        return (try? JSONDocument.text(of: JSONValue.object(bundle))) ?? ""
    }

    private static func object(_ bytes: [UInt8]) -> [String: JSONValue] {
        members(try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)))
    }

    private static func members(_ value: JSONValue?) -> [String: JSONValue] {
        if case .object(let members) = value { members } else { [:] }
    }

    /// What a schema is made of.
    private enum JSONValue: Codable {
        case boolean(Bool)
        case number(Int)
        case string(String)
        case array([JSONValue])
        case object([String: JSONValue])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([JSONValue].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: JSONValue].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .boolean(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let values): try container.encode(values)
            case .object(let members): try container.encode(members)
            }
        }
    }
}
