import AnalysisText
import ArgumentParser
import CTFReader
import DispatchAnalysis
import DispatchModel
import Glibc
import Symbolication
import TraceReports

/// `queuescope live`: shows a program while it is being recorded.
struct LiveCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Shows the queues, locks and problems of a program while it is recorded.",
        discussion: """
            Shows the last seconds of a recording that is still running: the verdict, the findings as they occur, the \
            open waits, and a row for each queue, actor, event loop, lock and thread. The recording is only read, and \
            the program does no work for the view.

              queuescope record -o trace -- .build/release/MyService &
              queuescope live trace

            Keys: arrows or j and k move, Return opens an object, s sorts by the next figure, Tab shows the next kind \
            of objects, / filters, Space pauses, ? explains, q quits.

            Without a terminal, with TERM=dumb or with --once, the command prints one reading. With --format json it \
            prints one line per reading until the recording is over.
            """)

    @OptionGroup var named: RecordingArguments

    @Option(
        help: ArgumentHelp(
            """
            The time between two readings: 100ms to 1m (default: 500ms). A reading that takes long is repeated less \
            often.
            """, valueName: "time"))
    var interval: TimeLimit?

    @Option(
        help: ArgumentHelp(
            "The part of the recording that is shown: its last 1s to 10m (default: 10s).", valueName: "time"))
    var window: TimeLimit?

    @Flag(help: "Print one reading and exit.")
    var once = false

    @Option(help: "The format: text, or json for programs.")
    var format: Format = .text

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Print the JSON Schema of the JSON result and exit.")
    var schema = false

    @OptionGroup var analysis: AnalysisArguments

    func validate() throws {
        guard (Nanoseconds.milliseconds(100)...Nanoseconds.seconds(60)).contains(pause) else {
            throw ValidationError("--interval is 100ms to 1m.")
        }
        guard (Nanoseconds.seconds(1)...Nanoseconds.seconds(600)).contains(length) else {
            throw ValidationError("--window is 1s to 10m.")
        }
    }

    private var pause: Nanoseconds { interval?.length ?? .milliseconds(500) }
    private var length: Nanoseconds { window?.length ?? .seconds(10) }

    func run() throws {
        let destination = ReportDestination(file: nil)
        if schema { return try destination.write(LiveReport.schema) }
        let recording = try named.find(process: analysis.process)
        let source = try LiveSource(recording, length: length, analysis)
        switch format {
        case .json: try once ? writeDocument(source, to: destination) : streamDocuments(source, to: destination)
        case .text:
            if !once, destination.isTerminal, isatty(STDIN_FILENO) == 1, !Terminal.isDumb {
                try LiveSession(source, interval: pause, inColor: color.isOn(for: destination)).run()
            } else {
                var view = LiveView()
                view.show(try source.requiredSnapshot())
                try destination.write(
                    view.text(columns: destination.width, inColor: color.isOn(for: destination)))
            }
        }
    }

    private func writeDocument(_ source: LiveSource, to destination: ReportDestination) throws {
        let (reading, symbols) = try source.required()
        try destination.write(LiveReport(reading, symbols: symbols).render())
    }

    private func streamDocuments(_ source: LiveSource, to destination: ReportDestination) throws {
        var pace = LivePace(interval: pause)
        while true {
            let meter = LivePace.Meter()
            if let (reading, symbols) = try source.next() {
                try destination.write(LiveReport(reading, symbols: symbols).renderLine())
                if !reading.isRecording { return }
            }
            usleep(useconds_t(clamping: pace.pause(after: meter.cost).count / 1000))
        }
    }
}

/// The readings of one recording, with the names of their code.
struct LiveSource {
    private let analyzer: LiveAnalyzer
    private let symbolizer: Symbolizer
    private let path: String

    /// - Throws: ``CommandFailure`` when the trace is not of the recorder, or a threshold is unknown.
    init(_ recording: LiveRecording, length: Nanoseconds, _ arguments: AnalysisArguments) throws {
        path = recording.path
        symbolizer = arguments.symbols.symbolizer(for: recording.path)
        guard try DispatchTrace(path: recording.path).backend == "ring" else {
            throw CommandFailure(
                .unavailable,
                "live cannot follow \(recording.path): LTTng writes its events to the disk in large steps. Read it "
                    + "with queuescope report")
        }
        analyzer = LiveAnalyzer(
            FollowedTrace(path: recording.path, process: recording.process), length: length,
            options: AnalysisOptions(lints: arguments.lints, thresholds: try arguments.settings()), naming: symbolizer)
    }

    /// Reads what is new.
    ///
    /// - Parameter opened: the serial number of the queue whose last items are wanted; nil for none.
    /// - Returns: nil when the trace has no event yet.
    /// - Throws: the errors of the reader.
    func next(opened: UInt64? = nil) throws -> (reading: LiveAnalyzer.Reading, symbols: SymbolTable)? {
        try analyzer.next(opened: opened).map { ($0, symbolizer.symbols(of: $0.analysis, stacks: .brief)) }
    }

    /// The first reading.
    ///
    /// - Throws: ``CommandFailure`` when the trace has no event yet, and the errors of the reader.
    func required() throws -> (reading: LiveAnalyzer.Reading, symbols: SymbolTable) {
        if let found = try next() { return found }
        throw CommandFailure(.unreadableTrace, "\(path) has no event yet; try again")
    }

    func requiredSnapshot() throws -> LiveSnapshot {
        let (reading, symbols) = try required()
        return LiveSnapshot(reading, symbols: symbols)
    }
}
