import FoundationEssentials
import Glibc
import TraceReports

/// What `queuescope doctor` says about LTTng.
enum LTTngCapability {
    private static let optional = "(optional: Queuescope's own recorder needs nothing)"

    /// Whether programs can have the tracepoints.
    static func tracepoints(_: Machine) -> MachineCapability {
        let name = "LTTng tracepoints"
        let folders = [
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
        ]
        let library = folders.map { "\($0)/liblttng-ust.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
        guard let library else {
            return MachineCapability(
                .missing, name, "liblttng-ust is not installed", remedy: "apt install liblttng-ust1 \(optional)")
        }
        return MachineCapability(.ok, name, library)
    }

    /// Whether a session daemon can run or runs, whose it is, and whether a session has the events.
    static func sessions(_ machine: Machine) -> MachineCapability {
        let name = "LTTng sessions"
        guard let daemon = ExecutableSearch.path(of: "lttng-sessiond") else {
            return MachineCapability(
                .missing, name, "lttng-sessiond is not installed", remedy: "apt install lttng-tools \(optional)")
        }
        let home = machine.environment["LTTNG_HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        let folders = ["/var/run/lttng", home + "/.lttng"]
        let running = folders.first { FileManager.default.fileExists(atPath: $0 + "/client-lttng-sessiond") }
        guard let running else {
            return MachineCapability(.ok, name, "\(daemon), which does not run; record --backend lttng starts it")
        }
        let session = LTTngSession.wanting().map { "the session \($0) has dispatch events enabled" }
        return MachineCapability(
            .ok, name,
            "a daemon runs (\(running)); \(session ?? "no session that is started has dispatch events enabled"); "
                + "record uses it with --backend lttng only")
    }
}
