/// The checks of `queuescope doctor` for the memory that buffers events before they are written to the trace.
enum MemoryCapability {
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

    /// The kernel's limits of System V shared memory segments: the memory is one segment.
    static func sharedMemory(_ machine: Machine) -> MachineCapability {
        let name = "shared memory"
        let folder = "/proc/sys/kernel"
        guard let segments = UInt64(machine.line("\(folder)/shmmni")), segments > 0 else {
            return MachineCapability(
                .limited, name, "there are no System V shared memory segments: events are buffered in anonymous memory",
                remedy: "set kernel.shmmni to 4096; with anonymous memory the last events are lost when a program is "
                    + "killed")
        }
        if machine.line("\(folder)/shm_rmid_forced") == "1" {
            return MachineCapability(
                .limited, name, "kernel.shm_rmid_forced is 1: the memory for events ends with the program",
                remedy: "set it to 0; otherwise the last events are lost when a program is killed")
        }
        if let largest = UInt64(machine.line("\(folder)/shmmax")), largest < arena {
            return MachineCapability(
                .limited, name, "kernel.shmmax is \(size(largest)): events use at most that", remedy: advice)
        }
        return MachineCapability(.ok, name, "the memory for events outlives a killed program")
    }

    private static func size(_ bytes: UInt64) -> String { ByteSize(bytes: bytes).readable }
}
