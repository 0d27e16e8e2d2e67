import ArgumentParser
import FoundationEssentials
import Glibc
import Symbolication
import TraceReports

/// `queuescope check`: passes or fails a trace, for continuous integration.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Fails when a trace has findings that are not in the baseline, for continuous integration.",
        discussion: """
            Exits with 0 when no finding counts, with 1 when one does or when the program crashed, and with 2 when the \
            trace has no event to judge. With a baseline, only findings that are not in it count. Write it once, keep \
            it with the sources, and write it again when a finding is gone or accepted:

              queuescope record -o trace -- .build/release/MyService
              queuescope check trace --write-baseline queuescope-baseline.json
              queuescope check trace --baseline queuescope-baseline.json

            A finding is in the baseline when an entry has the same detector, the same label of the queue or lock \
            (ignoring numbers), and the same file and function. Times and line numbers are not compared. A finding \
            that is more severe than in the baseline counts again.
            """)

    @Argument(
        help: "The trace directory (default: the newest trace in the current directory).", completion: .trace)
    var trace: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            What fails the check: findings of this severity or worse (error, warning, info), or detectors. Takes \
            several words, and is repeatable (default: warning).
            """,
            valueName: "severity|detector"),
        completion: .list(FailurePolicy.validWords))
    var failOn: [String] = []

    @Option(
        help: ArgumentHelp("The file with the known findings, which do not count.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write the findings of this trace as a baseline, and pass.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var writeBaseline: String?

    // Without a default value, --write-baseline can detect whether the option was given.
    @Option(help: "The format: text, json for programs, or sarif for code-review tools (default: text).")
    var format: ReportCommand.Format?

    @Option(name: .shortAndLong, help: "Write the result to this file.", completion: .file())
    var output: String?

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Print the JSON Schema of the JSON result and exit.")
    var schema = false

    @OptionGroup var window: WindowArguments

    @OptionGroup var sources: SourceArguments

    @OptionGroup var links: LinkArguments

    @OptionGroup var analysis: AnalysisArguments

    func validate() throws {
        if writeBaseline != nil, format != nil || output != nil || baseline != nil {
            throw ValidationError(
                "--write-baseline writes only the baseline: omit --baseline, --format and --output.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        if schema { return try destination.write(CheckReport.schema) }
        let trace = try TraceDirectory.named(trace)
        let policy: FailurePolicy
        do {
            policy = try FailurePolicy(words: failOn)
        } catch let failure as FailurePolicy.Failure {
            throw CommandFailure(.usage, "--fail-on: \(failure)")
        }
        let known = try baseline.map(Self.read)
        let found = try analysis.analyze(trace, window: window.request)
        try found.requireVerdict(on: trace)
        let check = FindingCheck(found.analysis, policy: policy, baseline: known)
        if let writeBaseline {
            let findings = Set(
                check.entries.map { Baseline.Known($0.identity, severity: $0.finding.severity) })
            let destination = ReportDestination(file: writeBaseline, option: "--write-baseline")
            try destination.write(Baseline(findings: Array(findings)).json())
            let count = "\(findings.count) finding\(findings.count == 1 ? "" : "s")"
            return StandardError.write("queuescope: wrote \(count) to \(writeBaseline).\n")
        }
        try destination.write(text(of: check, symbols: found.symbols(), for: destination))
        if check.hasFailed { throw ExitCode(1) }
    }

    private func text(of check: FindingCheck, symbols: SymbolTable, for destination: ReportDestination) throws -> String
    {
        let style = color.style(
            for: destination, links: try links.style(for: destination, sources: sources.tree))
        return switch format ?? .text {
        case .text:
            CheckText(check, symbols: symbols, style: style).render()
        case .json:
            try CheckReport(check, symbols: symbols).render()
        case .markdown:
            MarkdownReport(check.analysis, symbols: symbols, hasFailed: check.hasFailed).render()
        case .sarif:
            try SARIFReport(
                check.analysis, symbols: symbols, sources: sources.tree,
                version: QueuescopeCommand.configuration.version, check: check
            ).render()
        }
    }

    private static func read(_ file: String) throws -> Baseline {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(
                .usage,
                "cannot read the baseline \(file): write one with `queuescope check TRACE --write-baseline \(file)`")
        }
        do {
            return try Baseline(json: data)
        } catch let failure as Baseline.Failure {
            throw CommandFailure(.usage, "cannot use \(file) as a baseline: \(failure)")
        }
    }
}
