import Symbolication

/// All that is read from a process: its threads, queues and tasks, each at one instant.
struct ProcessSnapshot {
    let process: any InspectedProcess
    let threads: [InspectedThread]
    let names: StackNames
    /// The wait of each thread, by the thread's id.
    let waits: [Int32: ThreadWait]
    /// The queues of the program, by their addresses.
    let queues: [UInt64: DispatchRuntime.Queue]
    let tasks: TaskStates
    let finder: ThreadWaitFinder
    let dispatch: DispatchRuntime
    let concurrency: ConcurrencyRuntime
    let images: ProcessImages
    let sources: SymbolSources
    let memory: ProcessMemory
    let scan: HeapScan.Result

    /// Most threads that are read. A process with more has a thread explosion, which is visible in these.
    private static let mostThreads = 4096

    /// Reads a process. The threads of a running one are stopped one after the other, each for the time that its
    /// registers need.
    ///
    /// - Parameter process: the process, or its core file.
    /// - Throws: ``InspectionError`` when the process cannot be inspected, or ended during the inspection.
    init(of process: any InspectedProcess) throws(InspectionError) {
        let maps = process.maps
        let memory = ProcessMemory(process)
        let images = ProcessImages(of: process, memory: memory)
        let sources = SymbolSources()
        let symbols = RuntimeSymbols(images: images, sources: sources, executable: process.executablePath)
        let dispatch = DispatchRuntime(symbols, memory: memory)
        let concurrency = ConcurrencyRuntime(symbols, memory: memory, maps: maps)
        // The scan precedes the threads, so that the states of the threads are as new as possible.
        let scan = HeapScan(process: process, memory: memory)
            .places(of: Set(dispatch.classes.keys).union(concurrency.taskClass.map { [$0] } ?? []))

        let unwinder = Unwinder(images: images, maps: maps, memory: memory)
        let threads = try process.threads(limit: Self.mostThreads, unwinder: unwinder)
        let names = StackNames(of: threads.map(\.stack), images: images, symbolizer: Symbolizer(sources))
        let finder = ThreadWaitFinder(
            memory: memory, main: process.pid, dispatch: dispatch, names: names, threads: Set(threads.map(\.innerID)))
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
        (self.finder, self.dispatch, self.concurrency) = (finder, dispatch, concurrency)
        (self.images, self.sources, self.memory, self.scan) = (images, sources, memory, scan)
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
