import ArgumentParser
import ReportText
import TraceReports

/// `queuescope demo`: records the demo service before and after its fix and shows the difference.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Records a demo service before and after its fix, and reports both.")

    @Option(
        name: .shortAndLong,
        help: "The directory for traces and timelines (default: queuescope-demo, with a number if it already exists).",
        completion: .directory)
    var output: String?

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @OptionGroup var links: LinkArguments

    func run() throws {
        let directory = output ?? TraceDirectory.unused("queuescope-demo")
        try TraceDirectory.check(directory)
        try TraceDirectory.make(directory)
        let program = try DemoProgram(directory: directory)
        let before = try show(.before, program, "1  The service before the fix")
        let after = try show(.after, program, "2  The service after the fix")
        try heading("3  The difference")
        let destination = ReportDestination(file: nil)
        let difference = DiffText(
            TraceComparison(before: before, after: after), style: color.style(for: destination))
        try StandardOutput.write(difference.render() + "\n")
        try StandardOutput.write(
            """
            Timelines (open in any browser):
              \(program.timelineFile(.before))
              \(program.timelineFile(.after))
            Full reports:
              queuescope report \(program.traceDirectory(.before))
              queuescope report \(program.traceDirectory(.after))
              queuescope diff \(program.traceDirectory(.before)) \(program.traceDirectory(.after))

            """)
    }

    private func show(
        _ variant: DemoProgram.Variant, _ program: DemoProgram, _ title: String
    ) throws -> TraceComparison.Side {
        StandardError.write("Recording NewsService --variant \(variant.rawValue) …\n")
        let side = try program.run(variant)
        try heading(title)
        let destination = ReportDestination(file: nil)
        let style = color.style(for: destination, detail: .brief, links: try links.style(for: destination))
        let report = TextReport(side.analysis, style: style)
        try StandardOutput.write(report.render() + "\n")
        return side
    }

    private func heading(_ title: String) throws {
        let destination = ReportDestination(file: nil)
        let line = String(repeating: "━", count: max(0, destination.width - title.count - 1))
        let text = "\(title) \(line)"
        try StandardOutput.write((color.isOn(for: destination) ? TextColor.strong.applied(to: text) : text) + "\n\n")
    }
}
