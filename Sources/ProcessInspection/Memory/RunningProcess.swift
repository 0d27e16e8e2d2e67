import CTFReader
import Glibc

/// A process that runs during the inspection.
struct RunningProcess: InspectedProcess {
    private static let pageSize = UInt64(sysconf(Int32(_SC_PAGESIZE)))

    private let identity: ProcessIdentity
    private let memory: RunningMemory
    let maps: ProcessMaps

    var pid: Int32 { identity.pid }
    var name: String { identity.name }
    var executablePath: String? { identity.executablePath }
    var core: CoreOrigin? { nil }
    var gaps: [String] { [] }

    /// Checks that a process exists and can be inspected, and reads its mappings.
    ///
    /// - Parameter pid: the process id.
    /// - Throws: ``InspectionError`` with the reason.
    init(_ pid: Int32) throws(InspectionError) {
        identity = try ProcessIdentity(pid)
        memory = RunningMemory(pid: pid)
        guard let text = ProcFile.text("\(identity.directory)/maps") else { throw identity.ended }
        maps = ProcessMaps(text)
    }

    func read(at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        memory.read(at: address, into: buffer)
    }

    /// The path at which this command can read a mapped file; empty when the file was removed.
    ///
    /// Another file at the path is no risk, because symbols are read only from a file with the same build id.
    func file(of mapping: Mapping) -> String {
        if mapping.isDeleted {
            let isExecutable = identity.executable == mapping.path + ProcessIdentity.deletedMark
            return isExecutable ? "\(identity.directory)/exe" : ""
        }
        // The kernel names the files of a container as the container does, and the files of a process that only changed
        // its root directory as this command does.
        let inside = identity.root + mapping.path
        return access(inside, F_OK) == 0 ? inside : mapping.path
    }

    /// The parts of a range that are in memory now, so that a read does not bring pages back from swap and does not
    /// create pages of untouched stacks. The whole range if `pagemap` cannot be read.
    ///
    /// `/proc/PID/pagemap` has 8 bytes for each page; bit 63 is set for a page in memory.
    func presentRuns(of range: Range<UInt64>) -> [Range<UInt64>] {
        let file = open("\(identity.directory)/pagemap", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [range] }
        defer { close(file) }
        var runs: [Range<UInt64>] = []
        var page = range.lowerBound / Self.pageSize
        let end = range.upperBound / Self.pageSize
        var entries = [UInt64](repeating: 0, count: 1 << 15)
        while page < end {
            let wanted = min(entries.count, Int(end - page))
            let size = entries.withUnsafeMutableBytes { pread(file, $0.baseAddress, wanted * 8, off_t(page) * 8) }
            guard size >= 8 else { return runs + [page * Self.pageSize..<range.upperBound] }
            for entry in entries[..<(size / 8)] {
                let begin = page * Self.pageSize
                page += 1
                guard entry >> 63 == 1 else { continue }
                if let last = runs.last, last.upperBound == begin {
                    runs[runs.count - 1] = last.lowerBound..<begin + Self.pageSize
                } else {
                    runs.append(begin..<begin + Self.pageSize)
                }
            }
        }
        return runs
    }

    func threads(limit: Int, unwinder: Unwinder) throws(InspectionError) -> [InspectedThread] {
        let threads = ThreadReader(process: identity, unwinder: unwinder).threads(limit: limit)
        guard identity.exists, !threads.isEmpty else { throw identity.ended }
        if let refused = refusal(threads) { throw refused }
        return threads
    }

    func switches(of tid: Int32) -> UInt64? { ThreadReader.switches("\(identity.directory)/task/\(tid)") }

    func currentCall(of thread: InspectedThread) -> SystemCall? {
        ThreadReader.call("\(identity.directory)/task/\(thread.tid)")
    }

    /// The reason why no thread could be read; nil when at least one could.
    private func refusal(_ threads: [InspectedThread]) -> InspectionError? {
        let errors = threads.map { thread -> Int32? in
            if case .error(let code) = thread.unread { code } else { nil }
        }
        guard !errors.contains(nil) else { return nil }
        // The process may be traced since the first check.
        do {
            _ = try ProcessIdentity(pid)
        } catch {
            return error
        }
        let status = ProcFile.text("\(identity.directory)/status") ?? ""
        return ProcessIdentity.refusal(pid, name, status)
    }
}
