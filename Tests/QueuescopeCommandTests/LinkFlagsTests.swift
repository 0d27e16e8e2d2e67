import Foundation
import TestSupport
import Testing

/// `queuescope link-flags` against the interposer's own list of hooks.
@Suite struct LinkFlagsTests {
    private let queuescope = Program.queuescope

    /// The names in `QS_ORIGINALS`, the list of hooks. The preload library has additional hooks.
    private func hooks() throws -> [String] {
        let header = Package.root + "/Sources/CDispatchInterposer/originals.h"
        var text = try String(contentsOfFile: header, encoding: .utf8)
        text.replace(/\n#define QS_(EXPORTED|PRELOAD|FOUNDATION)_ORIGINALS\(X\)([^\n]*\\\n)+[^\n]*/, with: "")
        return text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\tX\([^,]+, ([a-z_A-Z0-9]+),/).map { String($0.output.1) }
        }.sorted()
    }

    @Test("Exactly the hooks are wrapped")
    func wrapsEveryHook() throws {
        let hooks = try hooks()
        #expect(hooks.count > 60)
        #expect(hooks.contains("dispatch_async"))
        #expect(!hooks.contains("dlclose"))
        let expected = [
            "swiftc": hooks.map { "-Xlinker --wrap=\($0)" }.joined(separator: " "),
            "clang": hooks.map { "-Wl,--wrap=\($0)" }.joined(separator: " "),
        ]
        for (style, flags) in expected {
            let result = try queuescope.run(["link-flags", "--style", style])
            #expect(result.status == 0)
            #expect(result.output == flags + "\n")
        }
        #expect(try queuescope.run(["link-flags"]).output == expected["swiftc"]! + "\n")
    }

    @Test("The setting for the manifest is one Swift expression with the same flags")
    func printsAManifestSetting() throws {
        let result = try queuescope.run(["link-flags", "--style", "manifest"])
        #expect(result.output.hasPrefix("linkerSettings: [.unsafeFlags([\"-Xlinker\", \"--wrap="))
        #expect(result.output.hasSuffix("\"])]\n"))
        #expect(result.output.matches(of: /"--wrap=/).count == (try hooks().count))
    }

    @Test("With the linker script, the closures of a static program have the places of a dynamic program")
    func linkerScript() throws {
        let script = Package.root + "/Sources/CWrappedDispatchInterposer/runtime_sections.ld"
        let program = try StaticProgram.build(
            "ScriptedProbe", sources: ["InterposerProbe/main.swift"],
            options: ["-g", "-use-ld=lld", "-Xlinker", "--script=\(script)"])
        func places(_ program: Program) throws -> Set<String> {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            #expect(try queuescope.run(["record", "-o", trace, "--", program.path, "work-items"]).status == 0)
            let report = try queuescope.run(["report", trace, "--all"]).output
            return Set(report.matches(of: /main\.swift:\d+/).map { String($0.output) })
        }
        let found = try places(program)
        #expect(found.count > 3)
        #expect(try found == places(Program.built("InterposerProbe")))
    }
}
