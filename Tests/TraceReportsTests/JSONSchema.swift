import Foundation

/// Validates a JSON value against a JSON Schema, with the keywords that the schemas of the reports use. The test does
/// not need a validator. An unknown keyword is reported as a violation, because it would not be checked.
struct JSONSchema {
    private let root: [String: Any]

    init(_ root: [String: Any]) { self.root = root }

    /// One line per violation of the schema.
    func violations(_ value: Any) -> [String] { violations(value, root, at: "$") }

    private static let annotations: Set<String> = ["$schema", "$id", "$comment", "$defs", "title", "description"]

    private func violations(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        schema.keys.sorted().filter { !Self.annotations.contains($0) }.flatMap { keyword -> [String] in
            let rule = schema[keyword]!
            switch keyword {
            case "allOf": return (rule as? [[String: Any]] ?? []).flatMap { violations(value, $0, at: place) }
            case "$ref": return violations(value, definition(rule as? String ?? ""), at: place)
            case "properties", "additionalProperties", "required": return members(value, keyword, schema, at: place)
            case "items":
                guard let elements = value as? [Any], let items = rule as? [String: Any] else { return [] }
                return elements.enumerated().flatMap { violations($1, items, at: "\(place)[\($0)]") }
            default: return holds(value, keyword, rule) ? [] : ["\(place): \(keyword)"]
            }
        }
    }

    private func definition(_ reference: String) -> [String: Any] {
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        return (root["$defs"] as? [String: Any])?[name] as? [String: Any] ?? ["missing definition": reference]
    }

    private func members(_ value: Any, _ keyword: String, _ schema: [String: Any], at place: String) -> [String] {
        guard let object = value as? [String: Any] else { return [] }
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        switch keyword {
        case "required":
            return (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
                "\(place).\($0): missing"
            }
        case "properties":
            return properties.flatMap { name, rule in
                object[name].map { violations($0, rule, at: "\(place).\(name)") } ?? []
            }
        default:
            guard let rule = schema["additionalProperties"] as? [String: Any] else { return [] }
            return object.filter { properties[$0.key] == nil }.flatMap { violations($1, rule, at: "\(place).\($0)") }
        }
    }

    private func holds(_ value: Any, _ keyword: String, _ rule: Any) -> Bool {
        switch keyword {
        case "type": (rule as? [String] ?? [rule as? String ?? ""]).contains { isOf(type: $0, value) }
        case "const": value as? String == rule as? String
        case "enum": (rule as? [String] ?? []).contains { $0 == value as? String }
        case "minimum": number(value).map { $0 >= number(rule) ?? 0 } ?? true
        case "maximum": number(value).map { $0 <= number(rule) ?? 0 } ?? true
        case "minLength": (value as? String).map { $0.count >= rule as? Int ?? 0 } ?? true
        case "pattern":
            (value as? String).map { $0.range(of: rule as? String ?? "", options: .regularExpression) != nil } ?? true
        default: false
        }
    }

    private func number(_ value: Any) -> Double? {
        isOf(type: "number", value) ? (value as? NSNumber)?.doubleValue : nil
    }

    private func isOf(type: String, _ value: Any) -> Bool {
        // JSONSerialization returns booleans as NSNumber too. Their CoreFoundation type code differs.
        let isBoolean = (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isBoolean
        case "null": return value is NSNull
        case "number": return value is NSNumber && !isBoolean
        case "integer":
            guard let number = value as? NSNumber, !isBoolean else { return false }
            return number.doubleValue == number.doubleValue.rounded()
        default: return false
        }
    }
}
