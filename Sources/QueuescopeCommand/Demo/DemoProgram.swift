import DispatchAnalysis
import DispatchModel
import Glibc
import TimelinePage
import TraceReports

/// Records and analyses one variant of the demo service.
struct DemoProgram {
    enum Variant: String, CaseIterable {
        case before, after
    }

    /// The path of the `NewsService` executable.
    let executable: String
    /// The directory for traces and timelines.
    let directory: String

    /// Finds the service next to this executable or at its installed location.
    init(directory: String) throws {
        executable = try CompanionProgram("NewsService", purpose: "the demo service").path
        self.directory = directory
    }

    func traceDirectory(_ variant: Variant) -> String { "\(directory)/\(variant.rawValue).ctf" }

    func timelineFile(_ variant: Variant) -> String { "\(directory)/\(variant.rawValue).html" }

    /// Runs, records and analyses the variant, and writes its timeline.
    func run(_ variant: Variant) throws -> TraceComparison.Side {
        let trace = traceDirectory(variant)
        let output = "\(directory)/\(variant.rawValue).json"
        let descriptor = open(output, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "cannot write \(output): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let recording = Recording(
            program: executable, arguments: ["--variant", variant.rawValue], directory: trace,
            standardOutput: descriptor)
        let outcome = try recording.run()
        recording.signals.release()
        guard outcome.ending == .exited(0) else {
            throw CommandFailure(
                .unreadableTrace,
                "the demo service ended with code \(outcome.ending.exitCode) (variant \(variant.rawValue)). "
                    + "Its recording is in \(trace)")
        }
        guard outcome.trace != nil else { throw CommandFailure(.unreadableTrace, recording.reasonForNothing) }

        let collector = TimelineCollector()
        let (profile, near) = (RunProfile(), NearFindings())
        let analysis = try AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun)),
            naming: SymbolArguments.none.symbolizer(for: trace)
        ).analyze(path: trace, observers: [collector, profile, near])
        let file = TimelineFile(
            destination: ReportDestination(file: timelineFile(variant)), symbols: .none)
        try file.write(analysis, collector: collector)
        return TraceComparison.Side(analysis: analysis, profile: profile, near: near)
    }
}
