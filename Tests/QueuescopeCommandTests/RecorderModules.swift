import Foundation
import TestSupport

/// The modules of the recorder, each a C file with its header, and which of them uses which other one.
///
/// A module uses another one if it names a function or variable that the other one defines. Declarations in headers
/// count as well: a header names only what it declares or uses inline.
struct RecorderModules {
    /// The functions and variables of one module that another one names.
    struct Use: Hashable, CustomStringConvertible {
        let user: String
        let used: String
        let symbols: [String]

        var description: String { "\(user) uses \(symbols.joined(separator: ", ")) of \(used)" }
    }

    private struct Module {
        var text = ""
        var definitions: Set<String> = []
    }

    private var modules: [String: Module] = [:]

    /// Reads the files of the recorder's folders. A module's name is its folder and its file name without extension.
    init() throws {
        let root = "\(Package.root)/Sources/CTraceRecorder"
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let parts = path.split(separator: "/")
            guard parts.count == 2, parts[0] != "include", path.hasSuffix(".c") || path.hasSuffix(".h") else {
                continue
            }
            add(try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8), to: String(path.dropLast(2)))
        }
    }

    /// Adds C code to a module.
    mutating func add(_ source: String, to module: String) {
        let code = source.replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
        let function = /(?m)^(?!static\b|extern\b|typedef\b)[A-Za-z_][^;{}=]*?\b(qs_\w+)\([^;{}]*\)\n\{/
        let variable =
            /(?m)^(?!static\b|extern\b|typedef\b)[A-Za-z_][^;\n]*?[ *](qs_\w+)(?: __attribute__\(\(.*\)\))?(?: =|;|\[)/
        var names = code.matches(of: function).map { String($0.output.1) }
        names += code.matches(of: variable).map { String($0.output.1) }
        modules[module, default: Module()].definitions.formUnion(names)
        // The tag of a structure may have the name of a variable.
        modules[module, default: Module()].text += code.replacing(/\b(?:struct|enum|union) qs_\w+/, with: "")
    }

    /// The names of all modules.
    var names: [String] { modules.keys.sorted() }

    /// Which module uses which other one.
    var uses: [Use] {
        var owners: [String: String] = [:]
        for (name, module) in modules {
            for symbol in module.definitions { owners[symbol] = name }
        }
        return modules.sorted { $0.key < $1.key }.flatMap { name, module -> [Use] in
            let symbols = Set(module.text.matches(of: /\bqs_\w+/).map { String($0.output) })
            let foreign = symbols.filter { owners[$0] != nil && owners[$0] != name }
            return Dictionary(grouping: foreign) { owners[$0, default: ""] }.sorted { $0.key < $1.key }
                .map { Use(user: name, used: $0.key, symbols: $0.value.sorted()) }
        }
    }

    /// The uses that are part of a circle: the used module uses the user, directly or through others.
    var circularUses: [Use] {
        let uses = uses
        let used = Dictionary(grouping: uses, by: \.user).mapValues { $0.map(\.used) }
        func reachable(from start: String) -> Set<String> {
            var found: Set<String> = []
            var open = [start]
            while let module = open.popLast() {
                for next in used[module, default: []] where found.insert(next).inserted { open.append(next) }
            }
            return found
        }
        let reached = Dictionary(uniqueKeysWithValues: names.map { ($0, reachable(from: $0)) })
        return uses.filter { reached[$0.used, default: []].contains($0.user) }
    }

    /// The uses of a module in a folder that its own folder may not use.
    ///
    /// - Parameter folders: the names of the folders, each with the names of the other folders that its modules may
    ///   use.
    func forbiddenUses(_ folders: [String: Set<String>]) -> [Use] {
        uses.filter { use in
            let user = Self.folder(of: use.user)
            let used = Self.folder(of: use.used)
            return user != used && !folders[user, default: []].contains(used)
        }
    }

    /// The folder of a module.
    static func folder(of module: String) -> String { String(module.prefix { $0 != "/" }) }
}
