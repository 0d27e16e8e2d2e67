import TraceReports

/// What `queuescope doctor PROGRAM` says about the program.
enum ProgramCapability {
    static func examine(_ machine: Machine) -> MachineCapability? {
        guard let program = machine.program else { return nil }
        guard let path = ExecutableSearch.path(of: program), let kind = ExecutableKind(path: path) else {
            return MachineCapability(
                .blocked, program, "no such program, or it cannot be read",
                remedy: "check its path, and that it is executable")
        }
        if let obstacle = kind.obstacle {
            return MachineCapability(.blocked, program, obstacle.reason, remedy: obstacle.remedy)
        }
        return MachineCapability(.ok, program, finding(kind))
    }

    private static func finding(_ kind: ExecutableKind) -> String {
        switch kind {
        case .script(let interpreter):
            "a script for \(interpreter): the first program with queues that it starts is recorded, with "
                + "--follow-children all"
        case .linkedWithInterposer: "has the interposer linked in"
        case .containsLibdispatch, .fullyStatic: "linked statically, with the recorder in it"
        default: "takes libdispatch from a library, so the interposer can be preloaded"
        }
    }
}
