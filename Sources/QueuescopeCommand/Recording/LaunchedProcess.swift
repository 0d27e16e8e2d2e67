import CTFReader
import FoundationEssentials
import Glibc

/// A process that still runs in the background after the program that started it has ended, for example a service
/// behind its launcher.
struct LaunchedProcess {
    let id: pid_t
    let name: String

    /// Processes of this user that record, or will record, into a directory, in the order of their ids.
    ///
    /// - Parameter path: the absolute path of the directory.
    static func recording(into path: String) -> [LaunchedProcess] {
        let variable = Data("QUEUESCOPE_TRACE=\(TracePattern.literal(path))\0".utf8)
        return ProcFile.numbers(in: "/proc").compactMap { id in
            // The environment of another user's process, or of a process that has ended, cannot be read.
            guard id != getpid(), let environment = ProcFile.bytes("/proc/\(id)/environ"),
                Data(environment).firstRange(of: variable) != nil
            else { return nil }
            let name = ProcFile.text("/proc/\(id)/comm").map { String($0.dropLast()) }
            return LaunchedProcess(id: id, name: name ?? "a process")
        }
    }
}
