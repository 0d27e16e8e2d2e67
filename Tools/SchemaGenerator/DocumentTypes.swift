import Foundation

/// The Swift types of the JSON documents, parsed from their sources.
///
/// It relies on the layout of swift-format: a declaration begins a line, and its members are indented further.
struct DocumentTypes {
    struct Line {
        let number: Int
        let indentation: Int
        let text: Substring
        /// The documentation comment above the line.
        let comment: [Substring]
    }

    struct Declaration {
        /// `struct`, `enum` or `typealias`.
        let keyword: Substring
        /// Including the enclosing types: `FleetDocument.QueueEntry`.
        let name: String
        /// The text after the name on its line.
        let rest: Substring
        let file: String
        let line: Line
        /// The lines between the braces.
        let body: ArraySlice<Line>

        var members: [Line] { body.filter { $0.indentation == line.indentation + 4 } }

        func failure(_ line: Line? = nil, expected: String) -> Failure {
            let line = line ?? self.line
            return Failure(description: "\(file):\(line.number): expected \(expected), found: \(line.text)")
        }
    }

    struct Property {
        let name: Substring
        /// Nil if the type must be inferred from the value.
        let type: Substring?
        let value: Substring?
        let line: Line
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var declarations: [String: [Declaration]] = [:]

    /// Adds the types that a source file declares.
    mutating func read(_ source: String, file: String) {
        var lines: [Line] = []
        var comment: [Substring] = []
        for text in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = text.drop { $0 == " " }
            let indentation = text.count - content.count
            lines.append(Line(number: lines.count + 1, indentation: indentation, text: content, comment: comment))
            comment = content.hasPrefix("///") ? comment + [content.dropFirst(3).drop { $0 == " " }] : []
        }
        let pattern =
            /(?:(?:public|private|fileprivate|final|indirect) )*(struct|enum|typealias|class|extension) ([\w.]+)(.*)/
        var scopes: [(name: String, indentation: Int)] = []
        for (index, line) in lines.enumerated() {
            guard let match = line.text.wholeMatch(of: pattern) else { continue }
            scopes.removeAll { $0.indentation >= line.indentation }
            let name = (scopes.map(\.name).suffix(1) + [String(match.2)]).joined(separator: ".")
            scopes.append((name, line.indentation))
            guard ["struct", "enum", "typealias"].contains(match.1) else { continue }
            let body = lines[(index + 1)...].prefix { $0.text.isEmpty || $0.indentation > line.indentation }
            declarations[name, default: []].append(
                Declaration(keyword: match.1, name: name, rest: match.3, file: file, line: line, body: body))
        }
    }

    /// The declaration for a name inside of a type; nil if there is none, or more than one.
    func find(_ name: some StringProtocol, in scope: String = "") -> Declaration? {
        var scope = scope.split(separator: ".")
        while true {
            if let found = declarations[(scope + [Substring(name)]).joined(separator: ".")] {
                return found.count == 1 ? found[0] : nil
            }
            if scope.popLast() == nil { return nil }
        }
    }

    /// The stored properties of a struct.
    func properties(of type: Declaration) throws -> [Property] {
        let stored = /(?:(?:public|internal|private)(?:\(set\))? )*(?:let|var) (\w+)(?:: ([^={]+?))?(?: = (.+))?/
        let other = /(?:(?:@inlinable|public|private|mutating) )*(?:static |init\(|func |struct |enum |var \w+:[^=]+\{)/
        return try type.members.compactMap { line in
            if let match = line.text.wholeMatch(of: stored) {
                return Property(name: match.1, type: match.2, value: match.3, line: line)
            }
            if line.text.prefixMatch(of: other) != nil || "/)]}".contains(line.text.prefix(1)) { return nil }
            throw type.failure(line, expected: "a property with its type, or a declaration that is no member")
        }
    }

    /// The property whose members are encoded as members of the struct, as in `try row.encode(to: encoder)`.
    func flattenedProperty(of type: Declaration) throws -> Substring? {
        guard let encode = type.members.first(where: { $0.text.contains("func encode(to ") }) else { return nil }
        let statements = type.body.compactMap { $0.text.wholeMatch(of: /try (\w+)\.encode\(to: encoder\)/)?.1 }
        guard statements.count == 1 else {
            throw type.failure(encode, expected: "one statement `try property.encode(to: encoder)` in it")
        }
        return statements[0]
    }

    /// The cases of an enumeration, with explicit raw values.
    func cases(of type: Declaration) throws -> [(name: Substring, rawValue: Substring?)] {
        var statements = type.rest.wholeMatch(of: /.* \{ case (.*) \}/).map { [String($0.1)] } ?? []
        var isCase = false
        for line in type.body where !line.text.isEmpty {
            if line.indentation == type.line.indentation + 4 {
                isCase = line.text.hasPrefix("case ")
                if isCase { statements.append(String(line.text.dropFirst("case ".count))) }
            } else if isCase {
                statements[statements.count - 1] += line.text
            }
        }
        return try statements.flatMap { $0.split(separator: ",") }.map { text in
            guard let match = text.wholeMatch(of: /\ ?`?(\w+)`?(?: = "(.*)")?/) else {
                throw type.failure(expected: "cases with a name and at most a string, not `\(text)`")
            }
            return (match.1, match.2)
        }
    }
}
