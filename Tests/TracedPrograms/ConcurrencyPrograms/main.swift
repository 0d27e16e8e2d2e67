// Small programs of Swift Concurrency, one per name, to be recorded: `ConcurrencyPrograms NAME`. What they print does not
// depend on the order in which tasks run. Without a name the names are listed.
let programs: [(name: String, run: @Sendable () async throws -> Void)] =
    taskPrograms + groupPrograms + actorPrograms + executorPrograms + continuationPrograms + streamPrograms

if let program = programs.first(where: { $0.name == CommandLine.arguments.last }) {
    try await program.run()
    print("done")
} else {
    for program in programs { print(program.name) }
}
