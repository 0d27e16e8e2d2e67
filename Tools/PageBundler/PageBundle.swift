import Foundation

/// Bundles the scripts of a page, which are ES modules, into one classic script.
///
/// A page that is opened from a file cannot load modules, and a single inline script has one digest in the content
/// security policy. So each module becomes a function. It runs once, after the modules that it imports, and returns its
/// exports:
///
/// ```
///   import { a } from './one.js';        const one = (() => { const a = 1; return { a }; })();
///   export const b = a + 1;         →    const two = (() => { const { a } = one; const b = a + 1; return { b }; })();
/// ```
///
/// Other names stay private to their module, as in a browser. The bundle contains every script of the folder, because
/// no other module imports a script that registers itself, such as a lane of the timeline. The entry is the last one.
public struct PageBundle {
    /// The reason why a module cannot be bundled.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    private struct Module {
        /// Imported names, by the path of the module that exports them.
        var imports: [(path: String, names: [Substring])] = []
        var exports: Set<Substring> = []
        var body: [Substring] = []
    }

    /// The script, in strict mode and in its own scope.
    public let program: String

    /// - Parameters:
    ///   - sources: the texts of the modules by path, such as `lanes/queue.js`.
    ///   - entry: the path of the module that starts the page.
    /// - Throws: ``Failure`` for an import of an unknown name, a cycle, or a form of import or export other than
    ///   `import { a, b } from './path.js';` and `export` before a declaration.
    public init(_ sources: [String: String], entry: String) throws {
        guard sources[entry] != nil else { throw Failure(description: "Cannot bundle: there is no \(entry).") }
        let modules = Dictionary(
            uniqueKeysWithValues: try sources.map { ($0.key, try Self.module($0.value, at: $0.key)) })
        var imported: [String: Set<Substring>] = [:]
        for (path, module) in modules {
            for (from, names) in module.imports {
                guard let exports = modules[from]?.exports else {
                    throw Failure(description: "\(path): there is no module \(from).")
                }
                for name in names where !exports.contains(name) {
                    throw Failure(description: "\(path): \(from) does not export \(name).")
                }
                imported[from, default: []].formUnion(names)
            }
        }
        let order = try Self.order(modules, entry: entry)
        let number = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
        var lines: [String] = ["(() => {", "'use strict';"]
        for (position, path) in order.enumerated() {
            guard let module = modules[path] else { continue }
            lines.append("const module\(position) = (() => { // \(path)")
            for (from, names) in module.imports where !names.isEmpty {
                lines.append("const { \(names.joined(separator: ", ")) } = module\(number[from] ?? 0);")
            }
            lines += module.body.map(String.init)
            lines.append("return { \(imported[path, default: []].sorted().joined(separator: ", ")) };\n})();")
        }
        program = (lines + ["})();", ""]).joined(separator: "\n")
    }

    /// Removes imports and the word `export` from a module.
    private static func module(_ source: String, at path: String) throws -> Module {
        var module = Module()
        var statement = ""
        for (number, text) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let line = withoutTypes(text) else { continue }
            if statement.isEmpty, line.hasPrefix("export ") {
                let declaration = line.dropFirst("export ".count)
                module.exports.formUnion(declaration.split { !($0.isLetter || $0.isNumber || "_$".contains($0)) })
                module.body.append(declaration)
                guard declaration.prefixMatch(of: /(async function|function|class|const|let)\b/) != nil else {
                    throw Failure(description: "\(path):\(number + 1): export stands before a declaration.")
                }
            } else if !statement.isEmpty || line.hasPrefix("import ") {
                statement += line
                guard line.hasSuffix(";") else { continue }
                guard let match = statement.wholeMatch(of: /import \{ *(.*?),? *\} from '(.*)';/) else {
                    throw Failure(description: "\(path):\(number + 1): write import { a, b } from './path.js';")
                }
                let names = match.1.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
                let folder = URL(filePath: "/" + path).deletingLastPathComponent()
                let from = folder.appending(path: String(match.2)).standardized.path.dropFirst()
                module.imports.append((String(from), names))
                statement = ""
            } else {
                module.body.append(line)
            }
        }
        return module
    }

    /// A line without the comments that only state a type; nil for a line with nothing else.
    ///
    /// The TypeScript compiler reads these comments in the sources. Every page contains the script, which is 7 %
    /// smaller without them.
    private static func withoutTypes(_ line: Substring) -> Substring? {
        guard line.contains("@type {") else { return line }
        let rest = line.replacing(/\/\*\* @type \{[^*]*\} \*\/ ?/, with: "")
        return rest.allSatisfy(\.isWhitespace) ? nil : rest
    }

    /// Orders each module after its imports, otherwise by path, and the entry last.
    private static func order(_ modules: [String: Module], entry: String) throws -> [String] {
        var order: [String] = []
        var open: [String] = []
        func visit(_ path: String) throws {
            if let start = open.firstIndex(of: path) {
                let cycle = (open[start...] + [path]).joined(separator: " → ")
                throw Failure(description: "Modules import each other in a circle: \(cycle).")
            }
            if order.contains(path) { return }
            open.append(path)
            for (from, _) in modules[path]?.imports ?? [] { try visit(from) }
            open.removeLast()
            order.append(path)
        }
        for path in modules.keys.sorted() where path != entry { try visit(path) }
        try visit(entry)
        return order
    }
}
