import ArgumentParser

/// The format of the answers of processes.
enum ControlFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// `queuescope ps`: lists the processes that can be controlled.
struct PsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps", abstract: "Lists the processes that can be recorded without a restart.",
        discussion: """
            A process is listed if it has a control socket: it was started with the preloaded library, or it links \
            Queuescope and opened the socket. It is dormant until start or record --pid starts a recording. The \
            sockets are visible in the same network namespace only, so run the command in the container of the \
            process. Processes of other users are listed, but only their user and root can control them.
            """)

    @Option(help: "The format: text, or json for programs.")
    var format: ControlFormat = .text

    func run() throws {
        let states = ControlledState.all()
        if format == .json { return try StandardOutput.write(try ControlledState.json(states)) }
        if states.isEmpty {
            StandardError.write("queuescope: no process in this network namespace has a control socket.\n")
        } else {
            try StandardOutput.write(ControlledState.table(states))
        }
    }
}
