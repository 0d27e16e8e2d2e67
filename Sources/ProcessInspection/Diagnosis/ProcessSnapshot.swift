import TraceReports

/// All that is read from a process: its threads, queues and tasks, each at one instant.
struct ProcessSnapshot {
    let process: ProcessIdentity
    let threads: [InspectedThread]
    let names: StackNames
    /// The wait of each thread, by the thread's id.
    let waits: [Int32: ThreadWait]
    /// The queues of the program, by their addresses.
    let queues: [UInt64: DispatchRuntime.Queue]
    let tasks: TaskStates
    let reader: ThreadReader
    let finder: ThreadWaitFinder
    let dispatch: DispatchRuntime
    let concurrency: ConcurrencyRuntime
    let images: ProcessImages
    let sources: SymbolSources
    let memory: ProcessMemory
    let scan: HeapScan.Result

    /// Most threads that are read. A process with more has a thread explosion, which is visible in these.
    private static let mostThreads = 4096

    /// Reads a process. Its threads are stopped one after the other, each for the time that its registers need.
    ///
    /// - Parameter pid: the process id.
    /// - Throws: ``InspectionError`` when the process cannot be inspected, or ended during the inspection.
    init(of pid: Int32) throws(InspectionError) {
        let process = try ProcessIdentity(pid)
        guard let text = ProcFile.text("\(process.directory)/maps") else { throw process.ended }
        let maps = ProcessMaps(text)
        let memory = ProcessMemory(pid: pid)
        let images = ProcessImages(maps, memory: memory, of: process)
        let sources = SymbolSources()
        let symbols = RuntimeSymbols(images: images, sources: sources, executable: process.executablePath)
        let dispatch = DispatchRuntime(symbols, memory: memory)
        let concurrency = ConcurrencyRuntime(symbols, memory: memory, maps: maps)
        // The scan precedes the threads, so that the states of the threads are as new as possible.
        let scan = HeapScan(process: process, maps: maps, memory: memory)
            .places(of: Set(dispatch.classes.keys).union(concurrency.taskClass.map { [$0] } ?? []))

        let unwinder = Unwinder(images: images, maps: maps, memory: memory)
        let reader = ThreadReader(process: process, unwinder: unwinder)
        let threads = reader.threads(limit: Self.mostThreads)
        guard process.exists, !threads.isEmpty else { throw process.ended }
        if let refused = Self.refusal(threads, process) { throw refused }
        let names = StackNames(of: threads.map(\.stack), images: images, symbolizer: Symbolizer(sources))
        let finder = ThreadWaitFinder(
            memory: memory, dispatch: dispatch, names: names, threads: Set(threads.map(\.innerID)))
        let waits = Dictionary(threads.map { ($0.tid, finder.wait(of: $0)) }) { first, _ in first }

        let queues = Self.queues(scan, waits: waits.values, dispatch: dispatch)
        var queued: [UInt64: UInt64] = [:]
        for queue in queues.values {
            for item in queue.items {
                if case .function(_, let context) = item.content { queued[context] = queue.address }
            }
        }
        let places = concurrency.taskClass.flatMap { scan.places[$0] } ?? []
        tasks = TaskStates(at: places, runtime: concurrency, threads: threads, queued: queued)
        (self.process, self.threads, self.names, self.waits, self.queues) = (process, threads, names, waits, queues)
        (self.reader, self.finder, self.dispatch, self.concurrency) = (reader, finder, dispatch, concurrency)
        (self.images, self.sources, self.memory, self.scan) = (images, sources, memory, scan)
    }

    /// The reason why no thread could be read; nil when at least one could.
    private static func refusal(_ threads: [InspectedThread], _ process: ProcessIdentity) -> InspectionError? {
        let errors = threads.map { thread -> Int32? in
            if case .error(let code) = thread.unread { code } else { nil }
        }
        guard !errors.contains(nil) else { return nil }
        // The process may be traced since the first check.
        do {
            _ = try ProcessIdentity(process.pid)
        } catch {
            return error
        }
        let status = ProcFile.text("\(process.directory)/status") ?? ""
        return ProcessIdentity.refusal(process.pid, process.name, status)
    }

    private static func queues(
        _ scan: HeapScan.Result, waits: some Sequence<ThreadWait>, dispatch: DispatchRuntime
    ) -> [UInt64: DispatchRuntime.Queue] {
        var addresses: Set<UInt64> = []
        for (kind, places) in scan.places where dispatch.classes[kind]?.isQueue == true { addresses.formUnion(places) }
        for case .queue(let queue, let level, _) in waits { addresses.formUnion([queue, level]) }
        if let main = dispatch.mainQueue { addresses.insert(main) }
        var queues: [UInt64: DispatchRuntime.Queue] = [:]
        for address in addresses {
            guard let queue = dispatch.queue(at: address), queue.kind.isProgramQueue,
                queue.target != 0 || queue.kind == .main
            else { continue }
            queues[address] = queue
        }
        return queues
    }

    /// The thread with an id in the namespace of the process; nil when there is none.
    func thread(innerID: UInt32) -> InspectedThread? { threads.first { $0.innerID == innerID } }
}
