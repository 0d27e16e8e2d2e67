import FoundationEssentials
import Glibc
import Symbolication

/// The checks of `queuescope doctor` for the recorder inside a program: preloading, and the permissions that it needs.
enum RecorderCapability {
    static func preloading(_ machine: Machine) -> MachineCapability {
        let name = "any program"
        switch machine.preload {
        case .success(let object): return MachineCapability(.ok, name, "recorded by \(object.path)")
        case .failure(let error):
            return MachineCapability(
                .blocked, name, "only programs that link Queuescope can be recorded",
                remedy: (error as? CommandFailure)?.sentence ?? "\(error)")
        }
    }

    /// A soft limit below which a part of a recording is lost.
    private struct Limit: Sendable {
        /// The name in `/proc/self/limits`.
        let name: String
        let least: UInt64
        let unit: @Sendable (UInt64) -> String
        let effect: String
        let remedy: String
    }

    private static let limitsThatMatter = [
        Limit(
            name: "Max open files", least: 256, unit: { "\($0) descriptors" },
            effect: "threads that run before the recording starts have no context switches", remedy: "ulimit -n 1024"),
        Limit(
            name: "Max address space", least: 1 << 30, unit: { "\(ByteSize(bytes: $0).readable) of address space" },
            effect: "the recorder's memory for events may not fit", remedy: "ulimit -v unlimited"),
        Limit(
            name: "Max file size", least: .max, unit: { "files of \(ByteSize(bytes: $0).readable)" },
            effect: "events past that size of a stream file are discarded", remedy: "ulimit -f unlimited"),
    ]

    static func limits(_ machine: Machine) -> MachineCapability {
        let name = "limits"
        let lines = (machine.text("/proc/self/limits") ?? "").split(separator: "\n")
        var tight: [(Limit, UInt64)] = []
        for limit in limitsThatMatter {
            let line = lines.first { $0.hasPrefix(limit.name) }
            let value = line?.dropFirst(limit.name.count).split(separator: " ").first.flatMap { UInt64($0) }
            if let value, value < limit.least { tight.append((limit, value)) }
        }
        if tight.isEmpty { return MachineCapability(.ok, name, "descriptors, address space and file size suffice") }
        return MachineCapability(
            .limited, name, tight.map { "\($0.unit($1)): \($0.effect)" }.joined(separator: "; "),
            remedy: tight.map(\.0.remedy).joined(separator: "; "))
    }

    static func seccomp(_ machine: Machine) -> MachineCapability {
        let name = "seccomp"
        guard let mode = machine.field("Seccomp", of: "/proc/self/status"), mode != "0" else {
            return MachineCapability(.ok, name, "no filter")
        }
        if machine.trial != nil { return MachineCapability(.ok, name, "a filter; a test recording under it worked") }
        return MachineCapability(
            .limited, name, "a filter, under which no test recording was possible",
            remedy: "the recorder works without calls that the filter refuses; a filter that kills must allow it to "
                + "open files and use mmap, madvise, fallocate, flock, membarrier, futex, close_range and "
                + "perf_event_open")
    }

    /// Other allocators than libc's. They are initialised during the first calls of the hooks.
    static func allocator(_ machine: Machine) -> MachineCapability {
        let name = "allocator"
        var objects = (machine.environment["LD_PRELOAD"] ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
        objects += (machine.text("/etc/ld.so.preload") ?? "").split { ":\n\t ".contains($0) }.map(String.init)
        if let path = machine.program.flatMap(ExecutableSearch.path(of:)), let file = ELFFile(path: path) {
            objects += file.neededLibraries
            if file.exportedFunctions.contains("malloc") { objects.append("malloc in \(path)") }
        }
        let names = objects.map { URL(fileURLWithPath: $0).lastPathComponent }
        if let known = names.first(where: { $0.hasPrefix("libjemalloc") || $0.hasPrefix("libtcmalloc") }) {
            return MachineCapability(.ok, name, "\(known), which is known to work")
        }
        if let own = objects.first(where: { $0.hasPrefix("malloc in ") }) {
            return MachineCapability(.ok, name, "\(own)")
        }
        return MachineCapability(.ok, name, "libc's")
    }
}
