import FoundationEssentials
import Glibc

/// The checks of `queuescope doctor` for the processors of a program and the context switches of its threads.
enum ProcessorCapability {
    /// A limit above the number of processors of any kernel.
    private static let most = 65_536

    static func processors(_ machine: Machine) -> MachineCapability {
        let name = "processors"
        let online = numbers(machine.line("/sys/devices/system/cpu/online"))
        guard let mask = machine.field("Cpus_allowed_list", of: "/proc/self/status").flatMap(numbers) else {
            return MachineCapability(.limited, name, "/proc/self/status does not list them", remedy: "mount /proc")
        }
        // An unrestricted mask also contains processors that do not exist or are offline.
        let allowed = (online.map(mask.intersection) ?? mask).count
        var finding = "\(allowed)"
        if let online, online.count > allowed { finding += " of \(online.count) may be used (affinity or cpuset)" }
        guard let quota = ControlGroups(machine).processorQuota, quota < Double(allowed) else {
            return MachineCapability(.ok, name, finding)
        }
        return MachineCapability(
            .limited, name, finding + ", with a CFS quota of \(quota)",
            remedy: "the kernel stops all threads when the quota of a period is used up, which looks like preemption; "
                + "compare with nr_throttled in the group's cpu.stat")
    }

    /// The processors in a list such as `0-3,8,10-11`; nil when the text is not a list.
    static func numbers(_ list: String) -> Set<Int>? {
        var numbers: Set<Int> = []
        for range in list.split(separator: ",") {
            let bounds = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard bounds.count <= 2, let first = bounds[0], let last = bounds[bounds.count - 1], first <= last,
                last < most
            else { return nil }
            numbers.formUnion(first...last)
        }
        return numbers.isEmpty ? nil : numbers
    }

    static func contextSwitches(_ machine: Machine) -> MachineCapability {
        let name = "context switches"
        let level = machine.line("/proc/sys/kernel/perf_event_paranoid")
        let setting = level.isEmpty ? "this kernel has no perf events" : "perf_event_paranoid is \(level)"
        let getPermission =
            level.isEmpty
            ? "use a kernel with CONFIG_PERF_EVENTS"
            : "sudo sysctl kernel.perf_event_paranoid=2; in a container, allow perf_event_open "
                + "(docker run --cap-add PERFMON, or a seccomp profile)"
        guard let trial = machine.trial else {
            // No test recording was possible. Programs that this command starts can open perf events if it can.
            let finding = machine.opensPerfEvents ? "perf events may be opened" : "perf_event_open is refused"
            return MachineCapability(
                machine.opensPerfEvents ? .ok : .limited, name, "\(finding) (\(setting))", remedy: getPermission)
        }
        if trial.processorTrack == .perfEvents {
            return MachineCapability(.ok, name, "perf events, tried (\(setting))")
        }
        let rest = trial.processorTrack == .schedstat ? "only totals of each thread (schedstat)" : "none"
        // The recorder's text for a kernel that opens the events and refuses to map their buffers.
        let needsMemory = trial.detail.contains("no memory for context switches")
        return MachineCapability(
            .limited, name, "\(rest): \(trial.detail)",
            remedy: needsMemory
                ? "ulimit -l unlimited, or sudo sysctl kernel.perf_event_mlock_kb=4096" : getPermission)
    }
}
