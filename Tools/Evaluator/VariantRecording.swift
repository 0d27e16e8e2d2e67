import DispatchAnalysis
import Foundation
import Scenarios
import TraceReports

/// Records one variant of a scenario afresh, and analyses what was recorded.
struct VariantRecording {
    /// What the evaluator cannot go on without.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The directory of the programs that the build puts beside this one.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    let run: ScenarioRun
    /// How `queuescope record` ended: as the program did, 128 and the signal's number when a signal ended it.
    let status: Int32
    /// What was recorded; whoever records it removes it.
    let trace: URL
    let analysis: Analysis
    /// What its findings rest upon.
    let grounds = EvidenceGrounds()
    /// The longest time for which the machine stood still meanwhile.
    let pause: Duration
    /// How many recordings before it were thrown away because the machine stood still.
    private(set) var disturbed = 0

    /// Runs and analyses; does it again when the machine stood still meanwhile, whatever the recording shows.
    ///
    /// - Parameters:
    ///   - run: the variant.
    ///   - directory: where the trace goes; must exist.
    ///   - condition: the surroundings in which it runs.
    /// - Returns: the first recording that was not disturbed, or the last one of ten.
    /// - Throws: ``Failure`` when the program cannot be recorded, and what the analysis throws.
    static func undisturbed(
        _ run: ScenarioRun, in directory: URL, under condition: FieldCondition = .quiet
    ) throws -> Self {
        var disturbed = 0
        while true {
            var recording = try condition.withSurroundings { try Self(run, in: directory, launcher: $0) }
            recording.disturbed = disturbed
            if recording.pause <= MachinePause.limit || disturbed == repetitions { return recording }
            try FileManager.default.removeItem(at: recording.trace)
            disturbed += 1
        }
    }

    /// A machine that never stands still for less must do.
    private static let repetitions = 9

    /// Runs and analyses.
    ///
    /// - Parameters:
    ///   - run: the variant.
    ///   - directory: where the trace goes; must exist.
    ///   - launcher: a command line that runs the one behind it.
    /// - Throws: ``Failure`` when the program cannot be recorded, and what the analysis throws.
    private init(_ run: ScenarioRun, in directory: URL, launcher: [String]) throws {
        let name = run.arguments.joined(separator: "-").replacingOccurrences(of: "---", with: "-")
        trace = directory.appendingPathComponent("\(name).ctf")
        let process = Process()
        // The longest takes less than a second.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            launcher + [
                "timeout", "--signal=KILL", "60", Self.programs.appendingPathComponent("queuescope").path, "record",
            ]
            + ["--limit", "256M", "--output", trace.path, "--"]
            + [Self.programs.appendingPathComponent("ScenarioProgram").path] + run.arguments
        let errors = directory.appendingPathComponent("\(name).errors")
        defer { try? FileManager.default.removeItem(at: errors) }
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let pauses = MachinePause()
        process.waitUntilExit()
        pause = pauses.end()
        status = process.terminationStatus
        self.run = run
        guard FileManager.default.fileExists(atPath: trace.path) else {
            let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure(description: "\(run.description): nothing was recorded (status \(status)). \(said)")
        }
        analysis = try Analyzer.analyze(
            path: trace.path, options: .judging(run.scenario), observers: [grounds], naming: Symbolizer())
    }
}

extension AnalysisOptions {
    /// Every detector; lints only where they are what is judged, as what they report may be as the program means it.
    static func judging(_ scenario: any Scenario) -> AnalysisOptions {
        let detector = type(of: scenario).detector
        let usual = DetectorRegistry.all.filter { !$0.isLint || $0.id == detector }
        return AnalysisOptions(detectors: Set(usual.map { $0.id }))
    }
}
