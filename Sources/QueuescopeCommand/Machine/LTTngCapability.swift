import FoundationEssentials
import TraceReports

/// What `queuescope doctor` says about LTTng.
enum LTTngCapability {
    private static let optional = "(optional: Queuescope's own recorder needs nothing)"

    /// Whether programs can have the tracepoints.
    static func tracepoints() -> MachineCapability {
        let name = "LTTng tracepoints"
        let folders = [
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
        ]
        let library = folders.map { "\($0)/liblttng-ust.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
        guard let library else {
            return MachineCapability(
                name, isThere: false, "liblttng-ust is not installed", remedy: "apt install liblttng-ust1 \(optional)")
        }
        return MachineCapability(name, isThere: true, library, remedy: "")
    }

    /// Whether a session daemon can run or runs, and whether a session has the events.
    static func sessions() -> MachineCapability {
        let name = "LTTng sessions"
        guard let daemon = ExecutableSearch.path(of: "lttng-sessiond") else {
            return MachineCapability(
                name, isThere: false, "lttng-sessiond is not installed", remedy: "apt install lttng-tools \(optional)")
        }
        let home = ProcessInfo.processInfo.environment["LTTNG_HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        let sockets = ["/var/run/lttng/client-lttng-sessiond", home + "/.lttng/client-lttng-sessiond"]
        guard sockets.contains(where: FileManager.default.fileExists(atPath:)) else {
            return MachineCapability(
                name, isThere: true, "\(daemon), which does not run; record --backend lttng starts it", remedy: "")
        }
        let session = LTTngSession.wanting()
        return MachineCapability(
            name, isThere: true,
            session.map { "the session \($0) has dispatch events enabled: record --session \($0) records into it" }
                ?? "the daemon runs; no session that is started has dispatch events enabled",
            remedy: "")
    }
}
