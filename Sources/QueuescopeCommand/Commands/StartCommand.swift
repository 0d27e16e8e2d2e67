import ArgumentParser

/// `queuescope start`: starts a recording in a running process.
struct StartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Starts the recording of a running process that has the recorder.",
        discussion: """
            The recording continues until queuescope stop, until the time of --for is over, or until the process ends. \
            The process can be recorded many times. queuescope ps lists the processes.

            The process writes the trace: with its rights, and at a path of its container.
            """)

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32

    @Option(
        name: .shortAndLong,
        help: """
            The trace directory (default: QUEUESCOPE_TRACE of the process, or the program's name, date and time with \
            .ctf in the current directory). %n is the program's name, %t the time (UTC), %p the process id, %h the \
            name of the host, and %% a percent sign.
            """,
        completion: .directory)
    var output: TracePattern?

    @Option(
        help: ArgumentHelp(
            "Remove the oldest finished traces whose names match --output, as record --keep does.",
            valueName: "amount"),
        transform: { try KeptTraces(argument: $0) })
    var keep: KeptTraces?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop the recording after this time, such as 10s, 500ms or 2m.", valueName: "time"))
    var duration: TimeLimit?

    @Option(help: "At the limit: stream (discard new events) or flight (overwrite the oldest events).")
    var mode: RecordingMode?

    @Option(help: "The largest size of the trace, such as 512M.", transform: { try ByteSize(argument: $0) })
    var limit: ByteSize?

    @Option(
        help: "The largest memory for events that are not yet written, such as 16M; the size of a flight recording.",
        transform: { try ByteSize(argument: $0) })
    var memory: ByteSize?

    @Option(
        help: ArgumentHelp(
            "The length of the past that a flight recorder in memory keeps, such as 60s. Not with --limit.",
            valueName: "time"))
    var window: TimeLimit?

    @Option(help: "Record context switches: on or off.")
    var processors: RecordCommand.Switch?

    @Option(
        help: ArgumentHelp(
            "The most processor time of the recorder, such as 1%, or a rate of the items, such as 1/64.",
            valueName: "share"),
        transform: { try RecordingBudget(argument: $0) })
    var budget: RecordingBudget?

    func validate() throws {
        if output?.text.isEmpty == true { throw ValidationError("Name the directory of the trace after --output.") }
        if keep != nil, output?.distinguishesRecordings != true {
            throw ValidationError("--keep needs --output with %t or %p, so that each recording has its own directory.")
        }
        if window != nil, mode == .stream || limit != nil { throw ValidationError(RecordCommand.windowRule) }
    }

    func run() throws {
        let controlled = try ControlledProcess(process)
        let request = StartRequest(
            output: output, keep: keep, mode: mode ?? (window == nil ? nil : .flight), limit: limit, memory: memory,
            window: window, recordsProcessors: processors.map { $0 == .on }, budget: budget, duration: duration)
        let answer = try controlled.ask(request.request(for: ProcessFacts.name(of: process)))
        let next = duration == nil ? " Next: queuescope stop \(process)" : ""
        StandardError.write(
            "queuescope: recording \(answer["program"] ?? "process") (process \(process)) into "
                + "\(answer["trace"] ?? "").\(next)\n")
    }
}
