import Foundation
import TraceReports

/// Something that recording or reporting can use on this machine.
struct MachineCapability {
    let name: String
    let isThere: Bool
    /// What was found, in a few words.
    let finding: String
    /// How to get it, where it is missing.
    let remedy: String

    init(_ name: String, isThere: Bool, _ finding: String, remedy: String) {
        self.name = name
        self.isThere = isThere
        self.finding = finding
        self.remedy = remedy
    }

    /// `ok` or `missing`, equally wide.
    func mark(inColor: Bool) -> String {
        let text = isThere ? "ok     " : "missing"
        return inColor ? "\u{1B}[\(isThere ? "1;32" : "1;33")m\(text)\u{1B}[0m" : text
    }

    /// Everything, the most important first.
    static func all() -> [MachineCapability] {
        [
            invariantCounter(), contextSwitches(), symbolizer(), babeltrace(), lttngLibrary(), lttngDaemon(), browser(),
        ]
    }

    /// The recorder's clock.
    private static func invariantCounter() -> MachineCapability {
        let name = "fast clock"
        #if arch(x86_64)
            let information = text(of: "/proc/cpuinfo")
            let flags = information.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
            let isThere = flags.contains("constant_tsc") && flags.contains("nonstop_tsc")
            return MachineCapability(
                name, isThere: isThere,
                isThere ? "the time stamp counter is invariant" : "the time stamp counter is not invariant",
                remedy: "recording works with clock_gettime instead, at 15 ns more per event")
        #else
            return MachineCapability(name, isThere: true, "the processor's generic counter", remedy: "")
        #endif
    }

    private static func contextSwitches() -> MachineCapability {
        let level = Int(
            text(of: "/proc/sys/kernel/perf_event_paranoid").trimmingCharacters(in: .whitespacesAndNewlines))
        let isThere = geteuid() == 0 ? level != nil : (level ?? 9) <= 1
        let finding = level.map { "perf_event_paranoid is \($0)" } ?? "this kernel has no perf events"
        return MachineCapability(
            "context switches", isThere: isThere, isThere ? "perf events are allowed (\(finding))" : finding,
            remedy: level == nil
                ? "reports say how long threads ran and waited, and not how often the kernel switched them"
                : "sudo sysctl kernel.perf_event_paranoid=1")
    }

    private static func symbolizer() -> MachineCapability {
        let tool = Symbolizer().tool
        return MachineCapability(
            "symbols", isThere: tool != nil,
            tool.map { "\($0)" } ?? "llvm-symbolizer is neither on PATH nor next to swift",
            remedy: "put the Swift toolchain's usr/bin on PATH; until then stacks show modules and offsets")
    }

    private static func babeltrace() -> MachineCapability {
        program(
            "babeltrace2", "CTF by other tools", remedy: "apt install babeltrace2 (optional: reads the same traces)")
    }

    private static func lttngLibrary() -> MachineCapability {
        let folders = [
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
        ]
        let file = folders.lazy.flatMap { folder in ["1", "0"].map { "\(folder)/liblttng-ust.so.\($0)" } }
            .first { FileManager.default.fileExists(atPath: $0) }
        return MachineCapability(
            "LTTng tracepoints", isThere: file != nil, file ?? "liblttng-ust is not installed",
            remedy: "apt install liblttng-ust1 (optional: Queuescope's own recorder needs nothing)")
    }

    private static func lttngDaemon() -> MachineCapability {
        program(
            "lttng-sessiond", "LTTng sessions",
            remedy: "apt install lttng-tools (optional: Queuescope's own recorder needs nothing)")
    }

    private static func browser() -> MachineCapability {
        program(
            "xdg-open", "timeline --open", remedy: "apt install xdg-utils, or open the HTML file in a browser yourself")
    }

    private static func program(_ program: String, _ name: String, remedy: String) -> MachineCapability {
        let path = ExecutableSearch.path(of: program)
        return MachineCapability(name, isThere: path != nil, path ?? "\(program) is not installed", remedy: remedy)
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
