/// The checks of `queuescope doctor` for the memory that buffers events before they are written to the trace.
enum MemoryCapability {
    /// The location of this memory.
    static let directory = "/dev/shm"
    /// The default limit of this memory.
    private static let arena: UInt64 = 64 << 20
    private static let advice =
        "events that do not fit are discarded and counted; set another limit with QUEUESCOPE_MEMORY or record --memory"

    /// The recorder's limit in a control group with a memory limit: a sixteenth of that limit, as in
    /// `Sources/CTraceRecorder/System/memory_limit.c`.
    private static func share(of limit: UInt64) -> UInt64 { min(arena, limit / 16) }

    static func controlGroup(_ machine: Machine) -> MachineCapability {
        let name = "memory"
        guard let limit = ControlGroups(machine).memoryLimit else {
            return MachineCapability(.ok, name, "no control group limit; events use at most \(size(arena))")
        }
        let share = share(of: limit)
        let finding = "the control group's limit is \(size(limit)); events use at most \(size(share)) of it"
        return MachineCapability(share == arena ? .ok : .limited, name, finding, remedy: advice)
    }

    static func sharedMemory(_ machine: Machine) -> MachineCapability {
        let name = "shared memory"
        let mount = Mount.all(machine).last { $0.point == directory }
        guard let free = machine.freeSharedMemory, mount?.type == "tmpfs" else {
            return MachineCapability(
                .limited, name,
                "\(directory) is not a writable tmpfs: events are buffered in a tmpfs at XDG_RUNTIME_DIR, /run or "
                    + "/tmp, or in anonymous memory",
                remedy: "mount a tmpfs there; with anonymous memory the last events are lost when a program is killed")
        }
        let finding = "\(directory) is a tmpfs with \(size(free)) free"
        if free / 2 >= arena { return MachineCapability(.ok, name, finding) }
        return MachineCapability(
            .limited, name, finding + ", and events use at most half of it",
            remedy: "docker run --shm-size=256m, in Kubernetes an emptyDir of medium Memory at \(directory)")
    }

    private static func size(_ bytes: UInt64) -> String { ByteSize(bytes: bytes).readable }
}
