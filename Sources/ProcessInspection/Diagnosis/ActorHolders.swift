/// Finds the threads that run the jobs of actors.
///
/// An actor does not contain its thread. The runtime keeps the current executor on the stack of the thread that runs a
/// job of it.
struct ActorHolders {
    private static let runners = ["swift_job_run", "swift::runJobInEstablishedExecutorContext"]
    /// Bytes of a stack that are searched.
    private static let searched: UInt64 = 1 << 18

    /// The thread of each actor; nil for an actor that is on several stacks.
    private var holders: [UInt64: InspectedThread?] = [:]

    /// Searches the stacks of the threads that run jobs for all actors that tasks wait for.
    init(in snapshot: ProcessSnapshot) {
        let actors = Set(
            snapshot.tasks.entries.compactMap { entry -> UInt64? in
                if case .suspended(.actor(let actor)) = entry.state { actor } else { nil }
            })
        guard !actors.isEmpty else { return }
        for thread in snapshot.threads {
            let functions = snapshot.names.functions(of: thread.stack)
            guard functions.contains(where: { name in Self.runners.contains { name.hasPrefix($0) } }),
                let begin = thread.stackPointer, let end = thread.stack.frames.last?.registers.stackPointer,
                begin < end,
                let words = snapshot.memory.words(at: begin & ~7, count: Int(min(Self.searched, end - begin) / 8))
            else { continue }
            for actor in actors.intersection(words) {
                holders[actor] = holders[actor] == nil ? .some(thread) : .some(nil)
            }
        }
    }

    /// The thread that runs a job of an actor; nil when it is unknown.
    func thread(of actor: UInt64) -> InspectedThread? { holders[actor] ?? nil }
}
