import ArgumentParser

/// The root of the subcommands.
struct QueuescopeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queuescope",
        abstract: "Shows what a program's dispatch queues do, and what is wrong with them.",
        discussion: """
            Record a program as it is, read the report, then open the timeline:

              queuescope record -- .build/release/MyService
              queuescope report MyService-20261121-094100.ctf
              queuescope timeline MyService-20261121-094100.ctf --open

            Exit codes: 0 done, 1 findings that count (`check`, `diff`), 2 the trace cannot be read, 64 wrong usage, 69 something is missing or the program \
            cannot be recorded, 73 a file cannot be written. `record` exits with the program's own code.
            """,
        version: "0.1.0",
        subcommands: [
            RecordCommand.self, ReportCommand.self, CheckCommand.self, DiffCommand.self, ExportCommand.self,
            TimelineCommand.self, EventsCommand.self, ExplainCommand.self, DoctorCommand.self, LinkFlagsCommand.self,
            DemoCommand.self, ScenarioCommand.self, ManualCommand.self,
        ])
}
