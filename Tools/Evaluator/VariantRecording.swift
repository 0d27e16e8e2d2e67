import DispatchAnalysis
import Foundation
import Scenarios
import Symbolication

/// Records one variant of a scenario, and analyses the trace.
struct VariantRecording {
    /// An error that ends the evaluation.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder with the built programs, next to this executable.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    let run: ScenarioRun
    /// Exit status of `queuescope record`: the program's, or 128 + the signal's number if a signal ended the program.
    let status: Int32
    /// The trace. The caller removes it.
    let trace: URL
    let analysis: Analysis
    /// The records that the findings depend on.
    let grounds = EvidenceGrounds()
    /// Measures the gain of the scenario.
    private let measure = GainMeasure()
    /// The longest pause of the machine during the recording.
    let pause: Duration
    /// Number of earlier recordings that were discarded because the machine paused.
    private(set) var disturbed = 0

    /// Records and analyses. Repeats the recording if the machine paused, independent of its contents.
    ///
    /// - Parameters:
    ///   - run: the variant.
    ///   - directory: the directory for the trace, which must exist.
    ///   - condition: the condition under which the program runs.
    ///   - repetitions: after this many repetitions a recording with a pause is used.
    /// - Returns: the first recording without a pause, or the last one.
    /// - Throws: ``Failure`` when the program cannot be recorded, and errors of the analysis.
    static func undisturbed(
        _ run: ScenarioRun, in directory: URL, under condition: FieldCondition = .quiet, repetitions: Int = 9
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

    /// Records and analyses.
    ///
    /// - Parameters:
    ///   - run: the variant.
    ///   - directory: the directory for the trace, which must exist.
    ///   - launcher: a command line that runs the command line after it.
    /// - Throws: ``Failure`` when the program cannot be recorded, and errors of the analysis.
    private init(_ run: ScenarioRun, in directory: URL, launcher: [String]) throws {
        let name = run.arguments.joined(separator: "-").replacingOccurrences(of: "---", with: "-")
        trace = directory.appendingPathComponent("\(name).ctf")
        let process = Process()
        // A recording that hangs is killed. The longest program takes less than a second on an idle machine.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            launcher + [
                "timeout", "--signal=KILL", "300", Self.programs.appendingPathComponent("queuescope").path, "record",
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
        var options = AnalysisOptions.judging(run.scenario)
        options.model.criticalPath = .wholeRun
        analysis = try AnalysisSession(options: options, naming: Symbolizer()).analyze(
            path: trace.path, observers: [grounds, measure])
    }

    /// The value of the scenario's gain, in nanoseconds for a time.
    var gain: Double {
        let type = type(of: run.scenario)
        return measure.value(of: type.gain, for: type.detector, in: analysis, hasFailed: status != 0)
    }
}

extension AnalysisOptions {
    /// Every detector, and lints only if the scenario is about one: a lint may report intended behaviour of the
    /// program.
    static func judging(_ scenario: any Scenario) -> AnalysisOptions {
        let detector = type(of: scenario).detector
        let usual = DetectorRegistry.all.filter { !$0.isLint || $0.id == detector }
        return AnalysisOptions(detectors: Set(usual.map { $0.id }))
    }
}
