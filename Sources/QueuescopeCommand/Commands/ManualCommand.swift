import ArgumentParser

/// `queuescope manual`: prints the manual page, for `Tools/install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Prints the manual page.", shouldDisplay: false)

    func run() throws {
        let page = ManualPage(
            command: try CommandDescription(json: QueuescopeCommand._dumpHelp()),
            version: QueuescopeCommand.configuration.version)
        try StandardOutput.write(page.roff)
    }
}
