import CTFReader

/// The diagnosis of a process that may be stuck: what its threads, tasks and items wait for, and which of them wait for
/// each other.
///
/// The process needs no preparation. A running one continues; each of its threads is stopped once for a fraction of a
/// millisecond, one at a time.
public struct ProcessDiagnosis {
    let snapshot: ProcessSnapshot
    let verdicts: [Verdict]
    /// The waits, in the order of the report.
    let waits: [InspectedWait]
    let list: OpenWaitList

    /// Inspects a running process.
    ///
    /// - Parameter pid: the process id.
    /// - Throws: ``InspectionError`` with a sentence.
    public init(of pid: Int32) throws(InspectionError) { try self.init(RunningProcess(pid)) }

    /// Inspects a running process that is attached to a shared memory segment, so that another process with the same id
    /// is refused.
    ///
    /// - Parameters:
    ///   - pid: the process id.
    ///   - segment: the id of the segment, in the IPC namespace of the process.
    /// - Throws: ``InspectionError`` with a sentence.
    public init(of pid: Int32, attachedTo segment: Int32) throws(InspectionError) {
        let process = try RunningProcess(pid)
        guard AttachedSegment.all(of: pid)?.contains(where: { $0.identifier == segment }) == true else {
            throw InspectionError(
                code: .noSuchProcess, sentence: "process \(pid) (\(process.name)) of this machine is another process")
        }
        try self.init(process)
    }

    /// Inspects the core file of a process.
    ///
    /// - Parameters:
    ///   - core: the path of the core file.
    ///   - executable: the file of the executable; nil for the path that the core file has.
    ///   - root: the folder below which the files of the process are; nil for the root of this machine.
    /// - Throws: ``InspectionError`` with a sentence.
    public init(ofCore core: String, executable: String?, root: String?) throws(InspectionError) {
        try self.init(CoreProcess(core, choice: CoreImageFiles.Choice(executable: executable, root: root)))
    }

    private init(_ process: any InspectedProcess) throws(InspectionError) {
        let snapshot = try ProcessSnapshot(of: process)
        let list = OpenWaitList(snapshot)
        let deadlocks = Deadlocks(of: snapshot)
        let isInCycle = Set(deadlocks.cycles.joined())
        var waits = list.waits
        for index in waits.indices {
            switch waits[index].waiter {
            case .thread(let tid): waits[index].isInCycle = isInCycle.contains(.thread(tid))
            case .task(let address): waits[index].isInCycle = isInCycle.contains(.task(address))
            case .items: break
            }
        }
        // The sort keeps the order of equal elements.
        func rank(_ wait: InspectedWait) -> Int { wait.isInCycle ? 0 : wait.mayBeIdle ? 2 : 1 }
        let ranked = (0...2).flatMap { wanted in waits.filter { rank($0) == wanted } }
        self.snapshot = snapshot
        self.list = list
        self.waits = ranked
        verdicts = deadlocks.verdicts(list, waits: ranked) + StarvationVerdicts(list).verdicts
    }
}

/// The cycles of threads and tasks, and their descriptions.
struct Deadlocks {
    private(set) var cycles: [[WaitForGraph.Party]] = []

    /// Finds the cycles. Cycles of threads are proven to exist at one instant.
    init(of snapshot: ProcessSnapshot) {
        var graph = WaitForGraph()
        for (tid, wait) in snapshot.waits {
            guard let owner = wait.owner, let other = snapshot.thread(innerID: owner) else { continue }
            graph.add(.thread(tid), waitsFor: .thread(other.tid))
        }
        for entry in snapshot.tasks.entries {
            switch entry.state {
            case .suspended(.task(let other)): graph.add(.task(entry.task.address), waitsFor: .task(other))
            case .running(let tid): graph.add(.task(entry.task.address), waitsFor: .thread(tid))
            default: break
            }
        }
        let proof = CycleProof(process: snapshot.process, finder: snapshot.finder)
        cycles = graph.cycles.filter { cycle in
            let members = cycle.compactMap { party -> (InspectedThread, ThreadWait)? in
                guard case .thread(let tid) = party, let wait = snapshot.waits[tid],
                    let thread = snapshot.threads.first(where: { $0.tid == tid })
                else { return nil }
                return (thread, wait)
            }
            let tasks = cycle.filter { if case .task = $0 { true } else { false } }
            let areSuspended = tasks.allSatisfy { party in
                guard case .task(let address) = party,
                    case .task(let other)? = snapshot.concurrency.task(at: address)?.awaited
                else { return false }
                return graph.successor(of: party) == .task(other)
            }
            return members.count + tasks.count == cycle.count && areSuspended && proof.holds(for: members)
        }
    }

    func verdicts(_ list: OpenWaitList, waits: [InspectedWait]) -> [Verdict] {
        cycles.map { cycle in
            let members = cycle.compactMap { party in
                waits.first { wait in
                    switch (party, wait.waiter) {
                    case (.thread(let tid), .thread(let other)): tid == other
                    case (.task(let address), .task(let other)): address == other
                    default: false
                    }
                }
            }
            let threads = cycle.compactMap { if case .thread(let tid) = $0 { tid } else { nil } }
            let what = threads.count == cycle.count ? "threads" : "tasks"
            let sentences = members.map { "\($0.waiterName) waits \($0.cause)\(Self.place($0))" }
            let text =
                members.count == 1
                ? "\(members[0].waiterName) waits \(members[0].cause), which it holds itself\(Self.place(members[0]))."
                : "\(cycle.count) \(what) wait for each other: \(sentences.joined(separator: "; "))."
            return Verdict(kind: .deadlock, text: text, threads: threads)
        }
    }

    private static func place(_ wait: InspectedWait) -> String { wait.place.map { ", in \($0)" } ?? "" }
}
