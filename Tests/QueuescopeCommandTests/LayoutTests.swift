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
        "QueuescopeService": ["Logging", "Queuescope", "ServiceLifecycle", "UnixSignals"],
        "QueuescopeMetrics": ["Metrics", "Queuescope"],
        // Analysis side, from the trace files to the reports.
        "TraceSchema": [],
        "CTFReader": ["CArenaLayout", "CMemory"],
        "DispatchModel": ["CMemory", "CTFReader", "TraceSchema"],
        "NameSuggestions": [],
        "DispatchAnalysis": ["CTFReader", "DispatchModel", "NameSuggestions"],
        "Symbolication": ["CTFReader", "DispatchModel"],
        "ReportText": ["CReportAssets", "CTFReader", "DispatchModel", "Symbolication"],
        "AnalysisText": ["DispatchAnalysis", "DispatchModel", "ReportText", "Symbolication"],
        "TraceReports": [
            "AnalysisText", "CReportAssets", "DispatchAnalysis", "DispatchModel", "NameSuggestions", "ReportText",
            "Symbolication",
        ],
        "TraceExports": [
            "AnalysisText", "CTFReader", "DispatchAnalysis", "DispatchModel", "ReportText", "Symbolication",
        ],
        "TimelinePage": [
            "AnalysisText", "CReportAssets", "CTFReader", "DispatchAnalysis", "DispatchModel", "ReportText",
            "Symbolication",
        ],
        "ProcessInspection": [
            "CKernel", "CReportAssets", "CTFReader", "DispatchModel", "ReportText", "Symbolication",
        ],
        // Programs.
        "QueuescopeCommand": [
            "AnalysisText", "ArgumentParser", "CKernel", "CMemory", "CPreloadObject", "CTFReader", "DispatchAnalysis",
            "DispatchModel", "NameSuggestions", "ProcessInspection", "ReportText", "Symbolication", "TimelinePage",
            "TraceExports", "TraceReports",
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

    /// The Swift files of a module by path, without generated ones.
    private static func files(of module: String) throws -> [String: String] {
        let root = "\(Package.root)/Sources/\(module)/"
        let files = try #require(FileManager.default.enumerator(atPath: root))
        return try files.reduce(into: [:]) { sources, file in
            guard let path = file as? String, path.hasSuffix(".swift"), !path.contains("Generated/") else { return }
            sources[path] = try String(contentsOfFile: root + path, encoding: .utf8)
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

    /// The modules from the trace files to the command.
    private static let analysisSide = [
        "TraceSchema", "CTFReader", "DispatchModel", "DispatchAnalysis", "Symbolication", "ReportText", "AnalysisText",
        "TimelinePage", "TraceExports", "TraceReports", "ProcessInspection", "QueuescopeCommand",
    ]

    @Test("A type is extended in at most three files of the analysis side, in all modules together")
    func extensions() throws {
        let extended = /(?m)^(?:(?:public|package|fileprivate|private) )?extension ([A-Z][\w.]*)/
        var files: [String: Set<String>] = [:]
        for module in Self.analysisSide {
            for (path, text) in try Self.files(of: module) where !path.contains("Generated/") {
                for type in Self.matches(extended, in: text) { files[type, default: []].insert("\(module)/\(path)") }
            }
        }
        #expect(files.count > 100)
        for (type, paths) in files { #expect(paths.count <= 3, "\(type) is extended in \(paths.sorted())") }
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

    /// The folders of DispatchModel whose types each folder may name. Every folder may also name generated types and
    /// the types of the module's root.
    private static let modelFolders: [String: Set<String>] = [
        "Tables": [],
        "Entities": ["Facts", "Tables"],
        "Facts": ["Entities"],
        "Delivery": ["Entities", "Facts", "Followers", "Tables"],
        "Followers": ["Delivery", "Entities", "Facts", "State", "Tables"],
        "State": ["Delivery", "Entities", "Facts", "Followers", "Tables"],
        "Ingest": ["Delivery", "Entities", "Facts", "Followers", "State", "Tables"],
        "Traces": ["Entities", "Facts", "Ingest"],
    ]

    @Test("The folders of the model name only types of the folders below them", arguments: modelFolders.keys.sorted())
    func folders(folder: String) throws {
        let declaration = /(?m)^(?:(?:public|package|final|indirect) )*(?:struct|class|enum|protocol) ([A-Z]\w*)/
        let name = /(?:^|[^.\w])([A-Z]\w*)/
        var declared: [String: Set<String>] = [:]
        var named: [String: Set<String>] = [:]
        for (path, text) in try Self.files(of: "DispatchModel") {
            let parts = path.split(separator: "/")
            guard parts.count > 1 else { continue }
            declared[String(parts[0]), default: []].formUnion(Self.matches(declaration, in: text))
            guard parts[0] == folder else { continue }
            // Without comments and strings.
            named[path] = Self.matches(name, in: text.replacing(/\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/, with: ""))
        }
        #expect(!named.isEmpty)
        #expect(Set(declared.keys).isSubset(of: Self.modelFolders.keys))
        let allowed = Self.modelFolders[folder, default: []].union([folder])
        let own = allowed.reduce(into: Set<String>()) { $0.formUnion(declared[$1, default: []]) }
        for (other, types) in declared where !allowed.contains(other) {
            for (path, names) in named {
                let excess = names.intersection(types).subtracting(own)
                #expect(excess.isEmpty, "\(path) names \(excess.sorted()) of \(other)")
            }
        }
    }

    @Test(
        "A type is in at most three files",
        arguments: [
            "AnalysisText", "CTFReader", "DispatchAnalysis", "DispatchModel", "ReportText", "Symbolication",
            "TimelinePage", "TraceExports", "TraceReports",
        ])
    func types(module: String) throws {
        let declaration =
            /(?m)^(?:(?:public|package|final|indirect|fileprivate) )*(?:struct|class|enum|extension) ([A-Z]\w*)/
        var files: [String: Set<String>] = [:]
        for (path, text) in try Self.files(of: module) {
            for type in Self.matches(declaration, in: text) { files[type, default: []].insert(path) }
        }
        #expect(!files.isEmpty)
        for (type, paths) in files { #expect(paths.count <= 3, "\(type) is in \(paths.sorted())") }
    }

    @Test(
        "A file has at most 350 lines",
        arguments: [
            "AnalysisText", "CTFReader", "DispatchModel", "ReportText", "Symbolication", "TimelinePage", "TraceExports",
            "TraceReports",
        ])
    func sizes(module: String) throws {
        let files = try Self.files(of: module)
        #expect(!files.isEmpty)
        for (path, text) in files {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 350, "\(module)/\(path) has \(lines) lines")
        }
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
