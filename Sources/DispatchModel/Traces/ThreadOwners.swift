/// The process of each thread of a machine, from the recorded events; empty without a kernel trace.
struct ThreadOwners {
    /// By kernel trace, and by trace with dispatch events: the number of its machine; -1 for a machine without a kernel
    /// trace.
    private let machineOfKernel: [Int]
    private let machineOfTrace: [Int]
    /// By machine: the process of each thread. If a thread id is reused, the last process.
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

    /// The process of a thread in a kernel trace; nil if the process is not traced.
    func owner(of tid: UInt32, kernel: Int) -> Int? { owners[machineOfKernel[kernel]][tid] }
}
