import CTFReader
import FoundationEssentials
import Glibc

/// A program and the programs that it started, from `/proc`.
///
/// A process whose parent has ended is a child of the init process. It is not found, unless it was found before.
enum ProcessTree {
    /// A process. The time of its start distinguishes it from a later process with the same id.
    struct Member: Hashable {
        let id: pid_t
        /// In clock ticks since the start of the machine.
        fileprivate let start: UInt64

        /// False for a process that has ended, also if its parent has not read its exit status.
        var isRunning: Bool { Record(id).map { $0.member == self && !$0.hasEnded } ?? false }

        /// Sends a signal if the process still runs.
        func send(_ signal: Int32) { if isRunning { kill(id, signal) } }
    }

    /// A process with this id.
    static func members(_ id: pid_t) -> [Member] { Record(id).map { [$0.member] } ?? [] }

    /// These processes and all processes that they started, the parents first.
    static func members(below roots: [Member]) -> [Member] {
        let ids = ProcFile.numbers(in: "/proc")
        let children = Dictionary(grouping: ids.compactMap { Record($0) }, by: \.parent)
        var (found, known) = (roots, Set(roots))
        var next = 0
        while next < found.count {
            // A later process with the id of an ended process has other children.
            if found[next].isRunning {
                for child in children[found[next].id] ?? [] where known.insert(child.member).inserted {
                    found.append(child.member)
                }
            }
            next += 1
        }
        return found
    }

    /// A line of `/proc/PID/stat`: `4711 (name) S parent … start …`. The name can contain any character.
    private struct Record {
        let member: Member
        let parent: pid_t
        let hasEnded: Bool

        /// - Returns: nil when there is no such process.
        init?(_ id: pid_t) {
            guard let line = ProcFile.bytes("/proc/\(id)/stat"),
                let name = line.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            // From the third field on, see proc_pid_stat(5).
            let fields = String(decoding: line[line.index(after: name)...], as: UTF8.self).split(separator: " ")
            guard fields.count > 19, let parent = pid_t(fields[1]), let start = UInt64(fields[19]) else { return nil }
            member = Member(id: id, start: start)
            self.parent = parent
            // The first thread may have ended while other threads of the process still run.
            hasEnded = ["Z", "X"].contains(fields[0]) && (Int(fields[17]) ?? 0) <= 1
        }
    }
}
