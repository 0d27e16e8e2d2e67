import DispatchAnalysis
import Foundation
import TestSupport
import Testing

@testable import PageBundler
@testable import TimelinePage

@Suite("The page's program")
struct PageBundleTests {
    private static let folder = URL(fileURLWithPath: Package.root + "/Sources/TimelinePage/Web")

    /// The path and the text of each file with a suffix.
    private static func sources(_ suffix: String) throws -> [(path: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }.map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test("A module runs after its imports, the entry runs last, and private names stay private")
    func order() throws {
        let program = try PageBundle(
            [
                "start.js": "import { b } from './z/two.js';\nconst own = b;\n",
                "lanes/alone.js": "const own = 3;\n",
                "z/two.js": "import {\n  a,\n} from '../one.js';\nexport const b = a;\nexport const c = 2;\n",
                "one.js": "export const a = 1, own = 2;\n",
            ], entry: "start.js"
        ).program
        #expect(program.hasPrefix("(() => {\n'use strict';\nconst module0 = (() => { // lanes/alone.js\n"))
        let lines = program.split(separator: "\n").map(String.init)
        let places = try ["return {  };", "return { a };", "return { b };", "const own = b;"].map {
            try #require(lines.firstIndex(of: $0))
        }
        #expect(places == places.sorted())
        #expect(lines.contains("const { a } = module1;"))
        #expect(!program.contains("import ") && !program.contains("export "))
    }

    @Test(
        "A bundling error has its place",
        arguments: [
            ("import { b } from './none.js';", "start.js: there is no module none.js."),
            ("import { b } from './one.js';", "start.js: one.js does not export b."),
            ("import { back } from './one.js';\nexport const a = 1;", "one.js → start.js → one.js"),
            ("import one from './one.js';", "start.js:1: write import { a, b } from './path.js';"),
            ("const a = 1;\nexport { a };", "start.js:2: export stands before a declaration."),
        ])
    func failures(start: String, message: String) {
        let one = start.contains("back") ? "import { a } from './start.js';\nexport const back = a;" : "const b = 1;"
        let failure = #expect(throws: PageBundle.Failure.self) {
            try PageBundle(["start.js": start, "one.js": one], entry: "start.js")
        }
        #expect(failure?.description.contains(message) == true)
    }

    @Test("The program has no comments that only state a type")
    func types() throws {
        let source = """
            /** @type {Set<number>} */
            const seen = /** @type {Set<number>} */ (new Set());
            /** @type {number} the largest number */
            const most = 3;
            export function next(/** @type {number} */ row, /** @type {(row: number) => boolean} */ isWanted) {
            }
            """
        let lines = try PageBundle(["start.js": source], entry: "start.js").program.split(separator: "\n")
        let expected = [
            "const seen = (new Set());", "/** @type {number} the largest number */", "const most = 3;",
            "function next(row, isWanted) {", "}",
        ]
        #expect(lines.dropFirst(3).prefix(5).map(String.init) == expected, "\(lines)")
    }

    @Test("The program holds every script of the folder")
    func isComplete() throws {
        let scripts = try Self.sources(".js")
        let lines = Set(String(decoding: WebAssets.program, as: UTF8.self).split(separator: "\n"))
        #expect(scripts.count > 10)
        for (path, text) in scripts {
            #expect(text.split(separator: "\n").filter { $0.hasPrefix("//") }.allSatisfy(lines.contains), "\(path)")
        }
    }

    @Test("The page knows no detector, and reads no sentence of a finding")
    func readsData() throws {
        let program = String(decoding: WebAssets.program, as: UTF8.self)
        let texts = Set(program.matches(of: /['"`]([a-z-]+)['"`]/).map { String($0.output.1) })
        // A mark has the same name as its detector.
        let ids = DetectorRegistry.all.map { $0.id }.filter { $0 != "over-resume" }
        #expect(texts.contains("tasks") && texts.isDisjoint(with: ids))
        let searches = program.matches(
            of: /\b(exec|test)\([\w.]*(detail|summary|advice)\)|\b(detail|summary|advice)\.[a-z]+\(/)
        #expect(searches.isEmpty, "\(searches.map { $0.output.0 })")
    }

    @Test("A script imports only from its folder and from the folders below it")
    func layers() throws {
        let folders = ["trace", "picture", "tracks", "panels", "findings", "page"]
        for (path, text) in try Self.sources(".js") where path.contains("/") {
            let own = try #require(folders.firstIndex(of: String(path.prefix { $0 != "/" })))
            for match in text.matches(of: /from '\.\.\/([a-z]+)\//) {
                let other = try #require(folders.firstIndex(of: String(match.output.1)))
                #expect(other < own, "\(path) imports from \(match.output.1)")
            }
        }
    }

    @Test("TypeScript's compiler finds no error in the scripts", .enabled(if: Program.canRun("tsc")))
    func compilerFindsNoError() throws {
        let result = try #require(Program.installed("tsc")).run(["--project", Self.folder.path])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("No script switches a check of the compiler off, and no file has more than 350 lines")
    func areChecked() throws {
        let options = try String(contentsOf: Self.folder.appendingPathComponent("tsconfig.json"), encoding: .utf8)
        #expect(options.contains(#""strict": true"#))
        for (path, text) in try Self.sources(".js") {
            let types = text.matches(of: /@(type|typedef|param|returns|property) \{[^*\n]*\bany\b|@ts-[a-z]+/)
            #expect(types.isEmpty, "\(path): \(types.map { $0.output.0 })")
            #expect(text.count { $0 == "\n" } <= 350, "\(path)")
        }
        for (path, text) in try Self.sources(".d.ts") {
            let types = text.matches(of: /[:<(|] ?any\b/)
            #expect(types.isEmpty, "\(path): \(types.map { $0.output })")
        }
    }
}
