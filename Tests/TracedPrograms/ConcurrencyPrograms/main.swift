// Small programs of Swift Concurrency for recordings, one per name: `ConcurrencyPrograms NAME`. Their output does not
// depend on the order in which tasks run. Without a name it lists the names.
let programs: [(name: String, run: @Sendable () async throws -> Void)] =
    taskPrograms + groupPrograms + actorPrograms + executorPrograms + continuationPrograms + streamPrograms

if let program = programs.first(where: { $0.name == CommandLine.arguments.last }) {
    try await program.run()
    print("done")
} else {
    for program in programs { print(program.name) }
}
