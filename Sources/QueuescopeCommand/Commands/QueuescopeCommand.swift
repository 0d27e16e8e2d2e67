import ArgumentParser

/// The root command.
struct QueuescopeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queuescope",
        abstract: "Records the dispatch queues of a program and finds their problems.",
        discussion: """
            Record a program without changes, read the report, then open the timeline:

              queuescope record -- .build/release/MyService
              queuescope report MyService-20261121-094100.ctf
              queuescope timeline MyService-20261121-094100.ctf --open

            Exit codes: 0 success, 1 a finding counts (`check`, `diff`), 2 the trace cannot be read, 64 wrong usage, \
            69 a requirement is missing, the program cannot be recorded, or the process cannot be read (`stuck`, \
            `live`, `watch`) or controlled (`start` and others), 73 a file cannot be written, 126 and 127 a program \
            cannot be run or was not found. `record` exits with the program's own code.
            """,
        version: "0.1.0",
        subcommands: [
            RecordCommand.self, ReportCommand.self, CheckCommand.self, DiffCommand.self, ExportCommand.self,
            TimelineCommand.self, EventsCommand.self, PackCommand.self, NamesCommand.self, ExplainCommand.self,
            LiveCommand.self, StuckCommand.self, PsCommand.self, StatusCommand.self, StartCommand.self,
            StopCommand.self, SnapshotCommand.self, WatchCommand.self, DoctorCommand.self, LinkFlagsCommand.self,
            DemoCommand.self, ScenarioCommand.self, ManualCommand.self,
        ])
}
