/// What `queuescope doctor` says about the memory that events are written into before they go to the trace's files.
enum MemoryCapability {
    /// Where the recorder puts that memory.
    static let directory = "/dev/shm"
    /// The most that it takes unless it is told otherwise.
    private static let arena: UInt64 = 64 << 20
    private static let advice =
        "events that do not fit are discarded and counted; QUEUESCOPE_MEMORY or record --memory sets another limit"

    /// What the recorder takes under a limit on the control group's memory: a sixteenth, as in
    /// `Sources/CTraceRecorder/memory_limit.c`.
    private static func share(of limit: UInt64) -> UInt64 { min(arena, limit / 16) }

    static func controlGroup(_ machine: Machine) -> MachineCapability {
        let name = "memory"
        guard let limit = ControlGroups(machine).memoryLimit else {
            return MachineCapability(.ok, name, "no control group limits it; events take \(size(arena)) at most")
        }
        let share = share(of: limit)
        let finding = "the control group's limit is \(size(limit)); events take \(size(share)) of it at most"
        return MachineCapability(share == arena ? .ok : .limited, name, finding, remedy: advice)
    }

    static func sharedMemory(_ machine: Machine) -> MachineCapability {
        let name = "shared memory"
        let mount = Mount.all(machine).last { $0.point == directory }
        guard let free = machine.freeSharedMemory, mount?.type == "tmpfs" else {
            return MachineCapability(
                .limited, name, "\(directory) is no writable tmpfs: events go to anonymous memory",
                remedy: "mount a tmpfs there; without it the last events are lost when a program is killed")
        }
        let finding = "\(directory) is a tmpfs with \(size(free)) free"
        if free / 2 >= arena { return MachineCapability(.ok, name, finding) }
        return MachineCapability(
            .limited, name, finding + ", of which events take half at most",
            remedy: "docker run --shm-size=256m, in Kubernetes an emptyDir of medium Memory at \(directory)")
    }

    private static func size(_ bytes: UInt64) -> String { ByteSize(bytes: bytes).readable }
}
