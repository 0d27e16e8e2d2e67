import FoundationEssentials
import Glibc

/// A process that goes on in the background when the program that started it has ended: a service behind its launcher.
struct LaunchedProcess {
    let id: pid_t
    let name: String

    /// Processes of this user that were started to be recorded into a directory, by their id.
    ///
    /// - Parameter path: the directory, as the environment of the recorded program names it.
    static func recording(into path: String) -> [LaunchedProcess] {
        let variable = Data("QUEUESCOPE_TRACE=\(path)\0".utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.sorted().compactMap { id in
            // Of another user's process, and of one that has ended, there is nothing to read.
            guard id != getpid(), let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
                environment.firstRange(of: variable) != nil
            else { return nil }
            let name = FileManager.default.contents(atPath: "/proc/\(id)/comm").map { String(decoding: $0.dropLast(), as: UTF8.self) }
            return LaunchedProcess(id: id, name: name ?? "a process")
        }
    }
}
