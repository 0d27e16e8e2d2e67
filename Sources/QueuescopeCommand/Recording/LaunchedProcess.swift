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
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.sorted().compactMap { id in
            // The environment of another user's process, or of a process that has ended, cannot be read.
            guard id != getpid(), let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
                environment.firstRange(of: variable) != nil
            else { return nil }
            let name = FileManager.default.contents(atPath: "/proc/\(id)/comm").map {
                String(decoding: $0.dropLast(), as: UTF8.self)
            }
            return LaunchedProcess(id: id, name: name ?? "a process")
        }
    }
}
