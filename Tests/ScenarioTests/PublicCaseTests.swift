import DispatchAnalysis
import Foundation
import Testing

@testable import Evaluator

@Suite("The public cases")
struct PublicCaseTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("TracedPrograms/PublicCases").path

    @Test("each name a bug report, known detectors, and code that the program contains")
    func declarations() throws {
        let cases = try PublicCase.all(in: Self.folder)
        #expect(cases.count >= 20)
        for program in cases {
            #expect(program.source.hasPrefix("https://"), "\(program.name)")
            for detector in program.also { #expect(DetectorRegistry.detector(id: detector) != nil, "\(detector)") }
            let text = try String(contentsOfFile: program.path, encoding: .utf8)
            let name = program.code.split(whereSeparator: { ".(".contains($0) }).first.map(String.init) ?? ""
            #expect(!name.isEmpty && text.components(separatedBy: name).count > 2, "\(program.name)")
            #expect(text.contains("\"fixed\""), "\(program.name) has no repaired version")
        }
        #expect(Set(cases.map(\.source)).count == cases.count)
    }

    @Test("with a missing directive are refused with the file and the directive")
    func missing() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("case-\(UUID().uuidString).swift")
        try "//: source https://example.com\nprint(1)\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: PublicCase.Failure.self) { try PublicCase(path: file.path) }
    }

    @Test("are chosen with --public-cases, with names that are no scenarios")
    func options() throws {
        let options = try EvaluatorOptions(["--public-cases", "--only", "resolver", "--only", "pingers"])
        #expect(options.publicCases && options.names == ["resolver", "pingers"])
        #expect(try !EvaluatorOptions([]).publicCases)
    }
}
