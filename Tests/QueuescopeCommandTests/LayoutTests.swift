import Foundation
import TestSupport
import Testing

/// Modules use only the modules below them.
@Suite("Layout")
struct LayoutTests {
    /// The modules that each Swift module may import, in addition to modules of the system.
    private static let layout: [String: Set<String>] = [
        // Recording side. It never imports the analysis side, because it runs inside the traced process.
        "Queuescope": ["CTraceRecorder"],
        "QueuescopeTracing": ["Queuescope", "Tracing"],
        // Analysis side, from the trace files to the reports.
        "TraceSchema": [],
        "CTFReader": ["CMemory"],
        "DispatchModel": ["CMemory", "CTFReader", "TraceSchema"],
        "NameSuggestions": [],
        "DispatchAnalysis": ["CTFReader", "DispatchModel", "NameSuggestions"],
        "TraceReports": ["CReportAssets", "CTFReader", "DispatchAnalysis", "DispatchModel", "NameSuggestions"],
        "ProcessInspection": ["CKernel", "CReportAssets", "CTFReader", "DispatchModel", "TraceReports"],
        // Programs.
        "QueuescopeCommand": [
            "ArgumentParser", "CKernel", "CMemory", "CPreloadObject", "CTFReader", "DispatchAnalysis", "DispatchModel",
            "NameSuggestions", "ProcessInspection", "TraceReports",
        ],
        "NewsService": ["Queuescope"],
        "PlainNewsService": [],
        "Scenarios": ["CLegacyCodec", "Queuescope"],
        "ScenarioProgram": ["NameSuggestions", "Scenarios"],
    ]
    private static let systemModules: Set = [
        "CDispatch", "Darwin", "Dispatch", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    ]
    /// Executables that a target needs at run time and does not import.
    private static let programs: Set = ["NewsService", "ScenarioProgram"]

    /// The contents of the files of a module by name.
    private static func sources(of module: String, _ extensions: Set<String>) throws -> [String: String] {
        let folder = URL(fileURLWithPath: "\(Package.root)/Sources/\(module)")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return try files.reduce(into: [:]) { sources, file in
            guard let file = file as? URL, extensions.contains(file.pathExtension) else { return }
            sources[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
    }

    private static func matches(_ pattern: Regex<(Substring, Substring)>, in text: String) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.output.1) })
    }

    @Test("The sources of a Swift module import only the modules below it", arguments: layout.keys.sorted())
    func imports(module: String) throws {
        let allowed = Self.layout[module, default: []].union(Self.systemModules)
        let sources = try Self.sources(of: module, ["swift"])
        #expect(!sources.isEmpty)
        let pattern = /(?m)^[ \t]*(?:@?[a-z]\w*[ \t]+)*import[ \t]+(?:[a-z]+[ \t]+)?([A-Z]\w*)/
        for (file, text) in sources {
            let excess = Self.matches(pattern, in: text).subtracting(allowed)
            #expect(excess.isEmpty, "\(module)/\(file) imports \(excess.sorted())")
        }
    }

    @Test("Every Swift module is in the layout")
    func isComplete() throws {
        let modules = try FileManager.default.contentsOfDirectory(atPath: "\(Package.root)/Sources")
        let swift = try modules.filter { try !Self.sources(of: $0, ["swift"]).isEmpty }
        #expect(Set(swift) == Set(Self.layout.keys))
    }

    @Test("Package.swift has the dependencies of the layout", arguments: layout.keys.sorted())
    func dependencies(module: String) throws {
        let manifest = try String(contentsOfFile: "\(Package.root)/Package.swift", encoding: .utf8)
        // From the name of the target to the next target.
        let declaration = try #require(
            manifest.split(separator: /(?i)\.(?:executable)?target\(/).first {
                $0.prefixMatch(of: /\s*name: "(\w+)"/)?.output.1 == module[...]
            })
        let list = declaration.firstMatch(of: /(?s)dependencies: \[(.*?)\](?=[,)]|\s*\))/)?.output.1 ?? ""
        let named = Self.matches(/(?m)(?:^\s*|, |name: )"(\w+)"/, in: String(list))
        #expect(named.subtracting(Self.programs.subtracting([module])) == Self.layout[module])
    }

    @Test("The recorder includes no file of the hooks, and the hooks include only one internal file of the recorder")
    func includes() throws {
        let pattern = /(?m)^[ \t]*#[ \t]*include[ \t]+"([^"]+)"/
        let recorder = try Self.sources(of: "CTraceRecorder", ["c", "h"])
        for (file, text) in recorder {
            let foreign = Self.matches(pattern, in: text).filter { recorder[($0 as NSString).lastPathComponent] == nil }
            #expect(foreign.isEmpty, "CTraceRecorder/\(file) includes \(foreign.sorted())")
        }
        let hooks = try Self.sources(of: "CDispatchInterposer", ["c", "h"])
        let parts = hooks.values.reduce(into: Set<String>()) { parts, text in
            for path in Self.matches(pattern, in: text) where path.hasPrefix("../") {
                parts.insert(path)
            }
        }
        #expect(parts == ["../CTraceRecorder/hooks_interface.h"])
    }
}
