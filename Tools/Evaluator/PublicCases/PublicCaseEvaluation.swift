import DispatchAnalysis
import DispatchModel
import Foundation
import Symbolication

/// Compiles, records and judges all public cases.
struct PublicCaseEvaluation {
    /// An error that ends the evaluation.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The time after which a hanging program is ended, and after which any program is ended.
    private static let (hangLimit, limit) = ("5s", "60s")

    /// The cases to judge.
    let cases: [PublicCase]
    /// A directory for executables and traces.
    let directory: URL

    /// Judges the cases one after the other, and prints a line for each and a summary.
    ///
    /// - Returns: whether each problem was found by the first finding and nothing false was reported.
    /// - Throws: ``Failure`` when a program cannot be compiled or recorded, and errors of the analysis.
    func run() throws -> Bool {
        var grades: [PublicCaseVerdict.Grade: Int] = [:]
        var (trueFindings, falseFindings) = (0, 0)
        var shares: [Double] = []
        for (position, program) in cases.enumerated() {
            let executable = try compile(program)
            let problem = try analysis(of: program, executable, repaired: false)
            let repaired = try analysis(of: program, executable, repaired: true)
            let verdict = PublicCaseVerdict(program, problem: problem, repaired: repaired)
            grades[verdict.grade, default: 0] += 1
            trueFindings += verdict.trueFindings
            falseFindings += verdict.falseFindings.count
            let explained = [problem, repaired].map { $0.account?.explainedShare ?? 0 }
            shares += explained
            let paths = explained.map(PathTable.percent).joined(separator: " and ")
            say(
                "\(position + 1)/\(cases.count) \(verdict.grade.rawValue)  \(program.name)  \(verdict.first)\n"
                    + "      causes of \(paths) of the critical paths\n")
            for finding in verdict.falseFindings { say("      false  \(finding)\n") }
        }
        let good = grades[.good] ?? 0
        let all = trueFindings + falseFindings
        say(
            """

            \(good) of \(cases.count) problems explained by the first finding, \(grades[.half] ?? 0) in part, \
            \(grades[.missed] ?? 0) missed: recall \(Self.share(good, of: cases.count))
            \(trueFindings) of \(all) warnings correct: precision \(Self.share(trueFindings, of: all))
            critical paths with a named cause for at least \(PathTable.percent(PathTable.required)): \
            \(shares.count { $0 >= PathTable.required }) of \(shares.count), the least \
            \(PathTable.percent(shares.min() ?? 1))

            """)
        return good == cases.count && falseFindings == 0
    }

    private static func share(_ part: Int, of all: Int) -> String {
        all == 0 ? "–" : String(format: "%.2f", Double(part) / Double(all))
    }

    private func compile(_ program: PublicCase) throws -> String {
        let executable = directory.appendingPathComponent(program.name).path
        let (status, errors) = try Self.run(
            ["swiftc", "-O", "-g", "-swift-version", "5", program.path, "-o", executable])
        guard status == 0 else { throw Failure(description: "cannot compile \(program.path): \(errors)") }
        return executable
    }

    private func analysis(of program: PublicCase, _ executable: String, repaired: Bool) throws -> Analysis {
        let trace = directory.appendingPathComponent(program.name + (repaired ? "-fixed" : "") + ".ctf").path
        let limit = program.hangs && !repaired ? Self.hangLimit : Self.limit
        let queuescope = VariantRecording.programs.appendingPathComponent("queuescope").path
        let (status, errors) = try Self.run(
            ["timeout", "--signal=KILL", "300", queuescope, "record", "--for", limit, "-o", trace, "--", executable]
                + (repaired ? ["fixed"] : []))
        guard FileManager.default.fileExists(atPath: trace) else {
            throw Failure(description: "\(program.name): nothing was recorded (status \(status)). \(errors)")
        }
        let usual = Set(DetectorRegistry.all.filter { !$0.isLint }.map { $0.id })
        let options = AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: usual)
        return try AnalysisSession(options: options, naming: Symbolizer()).analyze(path: trace)
    }

    /// Runs a program along `PATH` without its output.
    private static func run(_ command: [String]) throws -> (status: Int32, errors: String) {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
