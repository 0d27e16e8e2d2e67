import Foundation
import TestSupport
import Testing

/// Names of code after the program was rebuilt, removed, or the trace was copied.
@Suite("Names survive", .enabled(if: Toolchain.current != nil))
struct SurvivingNamesTests {
    private struct Diff: Decodable {
        struct Findings: Decodable {
            let gone: [Finding]
            let new: [Finding]
            let same: [Finding]
            let worse: [Finding]
            let unmatched: [Finding]
        }
        let findings: Findings
        let unmatched_modules: [String]
    }

    private struct Finding: Decodable {
        struct Place: Decodable {
            let symbol: String
            let file: String?
            let line: Int?
        }
        let detector: String
        let code: [Place]
    }

    private struct Report: Decodable { let findings: [Finding] }

    /// The lines of the awaits are part of the expectations.
    private static let source = """
        import Dispatch
        import Foundation
        // padding
        let cache = DispatchQueue(label: "shop.cache")

        @inline(never) func spin(_ microseconds: UInt64) {
            let end = DispatchTime.now().uptimeNanoseconds + microseconds * 1_000
            while DispatchTime.now().uptimeNanoseconds < end {}
        }

        @inline(never) func price(_ item: Int) -> Int {
            cache.sync {
                spin(20)
                return item
            }
        }

        @inline(never) func handle() async {
            try? await Task.sleep(nanoseconds: 3_000_000)
            spin(200)
            try? await Task.sleep(nanoseconds: 5_000_000)
            spin(200)
            try? await Task.sleep(nanoseconds: 7_000_000)
        }

        let threads = (0..<8).map { number in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for item in 0..<1_500 { _ = price(item + number) }
                done.signal()
            }
            return done
        }
        for done in threads { done.wait() }
        await Task { await handle() }.value

        """
    private static let awaits = [19, 21, 23]

    private let directory = TemporaryDirectory()
    private var program: String { directory.appending("Shop") }

    /// Compiles the program. Both builds have the same path, and all addresses and lines of the second one differ.
    private func build(isChanged: Bool) throws {
        let source = directory.appending("main.swift")
        let padding = """
            @inline(never) func padding(_ text: String) -> Int {
                text.reduce(0) { $0 + $1.utf8.count }
            }

            """
        let text = isChanged
            ? Self.source.replacing("// padding\n", with: padding + "print(padding(\"changed\"))\n") : Self.source
        try text.write(toFile: source, atomically: true, encoding: .utf8)
        let toolchain = try #require(Toolchain.current)
        let draft = program + ".new"
        let result = try toolchain.swiftc.run(
            ["-O", "-g", "-swift-version", "5", "-Xlinker", "--build-id", "-module-name", "Shop", source, "-o", draft])
        try #require(result.status == 0, "\(result.errors)")
        try? FileManager.default.removeItem(atPath: program)
        try FileManager.default.moveItem(atPath: draft, toPath: program)
    }

    private func record(_ name: String) throws -> String {
        let trace = directory.appending(name)
        #expect(try ProgramRun.recorded(program, [], trace: trace).status == 0)
        // On a busy machine the names are written after `record` has ended.
        let names = trace + "/.queuescope-names"
        for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: names) { usleep(20_000) }
        try #require(FileManager.default.fileExists(atPath: names))
        return trace
    }

    /// No tool of the toolchain is in this search path.
    private static let bare = ["PATH": "/nowhere"]

    private func findings(_ trace: String, _ options: [String] = []) throws -> [String] {
        let result = try Program.queuescope.run(["report", trace, "--format", "json"] + options, environment: Self.bare)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        return report.findings.map { finding in
            "\(finding.detector) \(finding.code.map { "\($0.symbol) \($0.file ?? "") \($0.line ?? 0)" })"
        }
    }

    private func diff(_ before: String, _ after: String) throws -> Diff {
        let result = try Program.queuescope.run(["diff", before, after, "--format", "json"], environment: Self.bare)
        return try JSONDecoder().decode(Diff.self, from: Data(result.output.utf8))
    }

    private static func detectors(_ findings: [Finding]) -> Set<String> { Set(findings.map(\.detector)) }

    private func checkMatches(_ diff: Diff) {
        #expect(diff.findings.unmatched.isEmpty)
        #expect(diff.unmatched_modules.isEmpty)
        #expect(Self.detectors(diff.findings.new).isDisjoint(with: Self.detectors(diff.findings.gone)))
        #expect(!(diff.findings.same + diff.findings.worse).isEmpty)
    }

    @Test("Findings of two builds at one path match, in copies and without the program")
    func rebuild() throws {
        try build(isChanged: false)
        let before = try record("before")
        let whole = try findings(before)
        #expect(whole.contains { $0.contains("price(_:)") && $0.contains("Shop/main.swift") }, "\(whole)")
        try build(isChanged: true)
        #expect(try findings(before) == whole)
        let after = try record("after")
        checkMatches(try diff(before, after))

        let elsewhere = directory.appending("elsewhere")
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        for trace in [before, after] {
            let copy = elsewhere + "/" + URL(fileURLWithPath: trace).lastPathComponent
            try FileManager.default.moveItem(atPath: trace, toPath: copy)
        }
        try FileManager.default.removeItem(atPath: program)
        checkMatches(try diff(elsewhere + "/before", elsewhere + "/after"))
        #expect(try findings(elsewhere + "/before") == whole)

        // Without names on one side, nothing is new or gone because of it.
        try FileManager.default.removeItem(atPath: elsewhere + "/before/.queuescope-names")
        let blind = try diff(elsewhere + "/before", elsewhere + "/after")
        #expect(blind.unmatched_modules == ["Shop"])
        #expect(!blind.findings.unmatched.isEmpty)
        let lost = Self.detectors(blind.findings.new).intersection(Self.detectors(blind.findings.gone))
        #expect(lost.isEmpty, "\(lost)")
        let text = try Program.queuescope.run(["diff", elsewhere + "/before", elsewhere + "/after"])
        #expect(text.output.contains("annot match"))
    }

    @Test("A baseline knows its findings after a rebuild, and without names nothing is new")
    func baseline() throws {
        try build(isChanged: false)
        let trace = try record("trace")
        let baseline = directory.appending("baseline.json")
        #expect(try Program.queuescope.run(["check", trace, "--write-baseline", baseline]).status == 0)
        try build(isChanged: true)
        let check = ["check", trace, "--baseline", baseline, "--fail-on", "info"]
        #expect(try Program.queuescope.run(check, environment: Self.bare).status == 0)
        try FileManager.default.removeItem(atPath: trace + "/.queuescope-names")
        let blind = try Program.queuescope.run(check, environment: Self.bare)
        #expect(blind.status == 0, "\(blind.output)")
        #expect(blind.output.contains("Cannot match"))
        #expect(!blind.lines.contains { $0.hasPrefix(" gone") || $0.hasPrefix(" new") })
    }

    @Test("A program that was moved is found by its build id in a folder of --symbols")
    func symbolFolder() throws {
        try build(isChanged: false)
        let trace = try record("trace")
        let whole = try findings(trace)
        try FileManager.default.removeItem(atPath: trace + "/.queuescope-names")
        let folder = directory.appending("kept")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: program, toPath: folder + "/Shop")
        #expect(try findings(trace) != whole)
        #expect(try findings(trace, ["--symbols", folder]) == whole)
        try build(isChanged: true)
        #expect(try findings(trace) != whole)
        #expect(try findings(trace, ["--symbols", folder]) == whole)
        #expect(try Program.queuescope.run(["names", trace, "--symbols", folder]).status == 0)
        #expect(try findings(trace) == whole)
    }

    @Test("Each await has its own line, also after the program was removed")
    func awaits() throws {
        try build(isChanged: false)
        let trace = try record("trace")
        try FileManager.default.removeItem(atPath: program)
        let story = try Program.queuescope.run(["report", trace, "--task", "slowest"], environment: Self.bare)
        for line in Self.awaits { #expect(story.output.contains("main.swift:\(line)"), "\(story.output)") }
    }

    @Test("babeltrace2 reads a trace with names", .enabled(if: Program.babeltrace2 != nil))
    func babeltrace() throws {
        try build(isChanged: false)
        let trace = try record("trace")
        let result = try #require(Program.babeltrace2).run([trace])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        #expect(!result.output.isEmpty)
    }
}
