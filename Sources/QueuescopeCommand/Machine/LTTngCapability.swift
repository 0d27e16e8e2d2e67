import FoundationEssentials
import Glibc
import Symbolication

/// The checks of `queuescope doctor` for LTTng.
enum LTTngCapability {
    private static let optional = "(optional: Queuescope's own recorder does not need it)"

    /// Checks whether programs can use the tracepoints.
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

    /// Checks whether a session daemon is installed or runs, and whether a session has dispatch events enabled.
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
            return MachineCapability(.ok, name, "\(daemon) is not running; record --backend lttng starts it")
        }
        let session = LTTngSession.wanting().map { "the session \($0) has dispatch events enabled" }
        return MachineCapability(
            .ok, name,
            "a daemon is running (\(running)); \(session ?? "no active session has dispatch events enabled"); "
                + "record uses it only with --backend lttng")
    }
}
