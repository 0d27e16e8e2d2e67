import TraceReports

/// What `queuescope doctor PROGRAM` says about the program.
enum ProgramCapability {
    static func examine(_ program: String) -> MachineCapability {
        guard let path = ExecutableSearch.path(of: program), let kind = ExecutableKind(path: path) else {
            return MachineCapability(
                program, isThere: false, "no such program, or it cannot be read",
                remedy: "check its path, and that it is executable")
        }
        if let obstacle = kind.obstacle {
            return MachineCapability(program, isThere: false, obstacle.reason, remedy: obstacle.remedy)
        }
        return MachineCapability(program, isThere: true, finding(kind), remedy: "")
    }

    private static func finding(_ kind: ExecutableKind) -> String {
        switch kind {
        case .script(let interpreter):
            "a script for \(interpreter): the first program with queues that it starts is recorded, with --follow-children all"
        case .linkedWithInterposer: "has the interposer linked in"
        case .containsLibdispatch, .fullyStatic: "linked statically, with the recorder in it"
        default: "takes libdispatch from a library, so the interposer can be preloaded"
        }
    }
}
