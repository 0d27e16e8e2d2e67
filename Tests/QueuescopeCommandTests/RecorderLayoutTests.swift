import Foundation
import TestSupport
import Testing

/// The folders of the recorder show its architecture: modules use only modules of the folders below them.
@Suite("Layout of the recorder")
struct RecorderLayoutTests {
    private static let base: Set = ["Gate", "System", "Events", "Definitions"]
    /// The folders of `CTraceRecorder`, each with the folders that its modules may use.
    private static let folders: [String: Set<String>] = [
        "Gate": [],
        "System": ["Gate"],
        "Events": ["Gate", "System"],
        "Definitions": ["Gate", "System", "Events"],
        // Two back ends, and the observers, which do not depend on each other.
        "Drain": base,
        "LTTng": base,
        "Observers": base,
        "Session": base.union(["Drain", "LTTng", "Observers"]),
    ]

    @Test("Every module is in a folder of the layout")
    func isComplete() throws {
        let modules = try RecorderModules()
        #expect(Set(modules.names.map(RecorderModules.folder(of:))) == Set(Self.folders.keys))
        let root = "\(Package.root)/Sources/CTraceRecorder"
        let outside = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasSuffix(".c") }
        #expect(outside.isEmpty, "outside of the folders: \(outside)")
        // Otherwise the patterns have stopped finding definitions or uses.
        #expect(modules.uses.count > 200)
        #expect(modules.uses.contains { $0.user == "Drain/copier" && $0.used == "Events/stream" })
    }

    @Test("No modules use each other in a circle")
    func hasNoCircle() throws {
        let circular = try RecorderModules().circularUses
        #expect(circular.isEmpty, "\(circular.map(\.description).joined(separator: "\n"))")
    }

    @Test("Modules use only modules of the folders below them")
    func usesFoldersBelow() throws {
        let forbidden = try RecorderModules().forbiddenUses(Self.folders)
        #expect(forbidden.isEmpty, "\(forbidden.map(\.description).joined(separator: "\n"))")
    }

    @Test("Files include only headers of the folders below them")
    func includesFoldersBelow() throws {
        let root = "\(Package.root)/Sources/CTraceRecorder"
        for (folder, allowed) in Self.folders {
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)") {
                let text = try String(contentsOfFile: "\(root)/\(folder)/\(file)", encoding: .utf8)
                let included = Set(text.matches(of: /#include "\.\.\/(\w+)\//).map { String($0.output.1) })
                #expect(included.subtracting(allowed).isEmpty, "\(folder)/\(file) includes \(included)")
            }
        }
    }

    @Test("A use of a module above is found")
    func findsBackwardUse() throws {
        var modules = try RecorderModules()
        modules.add("void qs_stream_hurry(void)\n{\n\tqs_copier_run(true);\n}\n", to: "Events/stream")
        let expected = RecorderModules.Use(user: "Events/stream", used: "Drain/copier", symbols: ["qs_copier_run"])
        #expect(modules.forbiddenUses(Self.folders) == [expected])
        #expect(modules.circularUses.contains(expected))
        #expect(modules.circularUses.contains { $0.user == "Drain/copier" && $0.used == "Events/stream" })
    }

    @Test("A variable of a module above is found, a mention in a comment or a text is not")
    func readsCode() throws {
        var modules = try RecorderModules()
        modules.add("// qs_copier_run() copies.\nstatic const char *text = \"qs_copier_run\";\n", to: "Events/clock")
        #expect(modules.circularUses.isEmpty)
        modules.add("static bool *mark(void)\n{\n\treturn &qs_session_control.lock.is_held;\n}\n", to: "Gate/gate")
        #expect(modules.forbiddenUses(Self.folders).map(\.used) == ["Session/session_control"])
    }
}
