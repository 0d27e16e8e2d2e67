/// Which process each thread of a machine belongs to, as far as its events tell; empty where there is no kernel trace.
struct ThreadOwners {
    /// Per kernel trace, and per trace with dispatch events: the number of its machine; -1 for a machine without kernel
    /// trace.
    private let machineOfKernel: [Int]
    private let machineOfTrace: [Int]
    /// Per machine: the process of each thread, the last one where a number was used again.
    private var owners: [[UInt32: Int]]
    private var last: (tid: UInt32, process: Int) = (0, -1)

    init(kernels: [String], traces: [String]) {
        var machines: [String: Int] = [:]
        for host in kernels where machines[host] == nil { machines[host] = machines.count }
        machineOfKernel = kernels.map { machines[$0] ?? -1 }
        machineOfTrace = traces.map { machines[$0] ?? -1 }
        owners = Array(repeating: [:], count: machines.count)
    }

    /// The thread recorded an event of the process.
    @inline(__always)
    mutating func add(_ tid: UInt32, of process: Int, trace: Int) {
        guard !owners.isEmpty, tid != last.tid || process != last.process else { return }
        last = (tid, process)
        let machine = machineOfTrace[trace]
        if machine >= 0, tid != 0 { owners[machine][tid] = process }
    }

    /// The process of a thread in a kernel trace; nil when it is none that is traced.
    func owner(of tid: UInt32, kernel: Int) -> Int? { owners[machineOfKernel[kernel]][tid] }
}
