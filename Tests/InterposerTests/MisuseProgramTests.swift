import DispatchAnalysis
import Foundation
import TestSupport
import Testing

/// The programs of `TracedPrograms/Misuse`: each misuses libdispatch once. A line `//: finds DETECTOR …` lists all
/// findings, lints included, that a report of the program must have.
@Suite("Recording a program that misuses libdispatch")
struct MisuseProgramTests {
    struct Misuser: CustomTestStringConvertible, Sendable {
        let program: UnmodifiedProgram
        var testDescription: String { program.name }

        var detectors: [String] {
            let text = (try? String(contentsOfFile: program.source, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("//: finds ") }
            return (line?.dropFirst(10).split(separator: " ") ?? []).map(String.init).sorted()
        }
    }

    static let misusers: [Misuser] = {
        let folder = URL(fileURLWithPath: UnmodifiedProgram.folder).deletingLastPathComponent().path + "/Misuse"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.sorted().compactMap { file in
            let language: UnmodifiedProgram.Language? =
                file.hasSuffix(".c") ? .c : file.hasSuffix(".swift") ? .swift : nil
            return language.map { Misuser(program: UnmodifiedProgram(language: $0, source: "\(folder)/\(file)")) }
        }
    }()

    /// The GCD performance detectors, whose findings have two places.
    static let kinds: Set = [
        "mutation-after-activation", "retarget-after-activation", "non-leaf-retarget", "delayed-registration",
        "strict-background-timer", "suspended-timer-fire", "handlerless-source", "source-without-qos",
    ]

    @Test("finds it, with its stacks, and nothing else", arguments: misusers)
    func finds(misuser: Misuser) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run = try ProgramRun.recorded(misuser.program, trace: trace)
        #expect(misuser.program.statuses.contains(run.status), "\(run)")
        let analysis = try AnalysisSession(options: AnalysisOptions(lints: true)).analyze(path: trace)
        let found = analysis.findings.filter {
            $0.detector != "source-without-qos" || misuser.detectors.contains($0.detector)
        }
        #expect(Set(found.map(\.detector)).sorted() == misuser.detectors, "\(found.map(\.summary))")
        for finding in found where Self.kinds.contains(finding.detector) {
            #expect(finding.stacks.count == 2, "\(finding.summary) \(finding.stacks)")
            #expect(finding.stacks.allSatisfy { !analysis.model[$0.stack].isEmpty })
            #expect(!finding.code.isEmpty)
        }
        for finding in found {
            #expect(!finding.advice.text.isEmpty && !finding.evidence.isEmpty)
        }
    }

    @Test("every GCD performance kind has a program that provokes it")
    func complete() {
        let covered = Set(Self.misusers.flatMap(\.detectors))
        #expect(Self.kinds.union(["mutable-target"]).isSubset(of: covered))
    }
}
