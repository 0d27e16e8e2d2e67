import FoundationEssentials
import Glibc

/// What `queuescope doctor` says about the processors that a program may use, and when its threads have them.
enum ProcessorCapability {
    /// More processors than any kernel counts.
    private static let most = 65_536

    static func processors(_ machine: Machine) -> MachineCapability {
        let name = "processors"
        let online = numbers(machine.line("/sys/devices/system/cpu/online"))
        guard let mask = machine.field("Cpus_allowed_list", of: "/proc/self/status").flatMap(numbers) else {
            return MachineCapability(.limited, name, "/proc/self/status does not name them", remedy: "mount /proc")
        }
        // A mask that nobody restricted also has the processors that are not there, or offline.
        let allowed = (online.map(mask.intersection) ?? mask).count
        var finding = "\(allowed)"
        if let online, online.count > allowed { finding += " of \(online.count) may be used (affinity or cpuset)" }
        guard let quota = ControlGroups(machine).processorQuota, quota < Double(allowed) else {
            return MachineCapability(.ok, name, finding)
        }
        return MachineCapability(
            .limited, name, finding + ", with a CFS quota of \(quota)",
            remedy: "the kernel stops all threads when a period's quota is used up, which looks like preemption: "
                + "compare with nr_throttled in the group's cpu.stat")
    }

    /// The processors in a list such as `0-3,8,10-11`; nil when it is not one.
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
            ? "a kernel with CONFIG_PERF_EVENTS has them"
            : "sudo sysctl kernel.perf_event_paranoid=2; in a container, let it use perf_event_open "
                + "(docker run --cap-add PERFMON, or a seccomp profile)"
        guard let trial = machine.trial else {
            // This executable cannot be recorded itself where it is linked statically, as when it is installed.
            // Programs that it starts may open perf events when it may.
            let finding = machine.opensPerfEvents ? "perf events may be opened" : "perf_event_open is refused"
            return MachineCapability(
                machine.opensPerfEvents ? .ok : .limited, name, "\(finding) (\(setting))", remedy: getPermission)
        }
        if trial.processorTrack == .perfEvents {
            return MachineCapability(.ok, name, "perf events, tried (\(setting))")
        }
        let rest = trial.processorTrack == .schedstat ? "only how long each thread ran and waited (schedstat)" : "none"
        // What the recorder says when the kernel opens events and refuses to map their buffers.
        let needsMemory = trial.detail.contains("no memory for context switches")
        return MachineCapability(
            .limited, name, "\(rest): \(trial.detail)",
            remedy: needsMemory
                ? "ulimit -l unlimited, or sudo sysctl kernel.perf_event_mlock_kb=4096" : getPermission)
    }
}
