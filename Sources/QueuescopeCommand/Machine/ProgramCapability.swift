import FoundationEssentials
import Symbolication

/// The check of `queuescope doctor PROGRAM` for the program.
enum ProgramCapability {
    static func examine(_ machine: Machine) -> MachineCapability? {
        guard let program = machine.program else { return nil }
        guard let path = ExecutableSearch.path(of: program) else {
            return FileManager.default.fileExists(atPath: program)
                ? MachineCapability(
                    .blocked, program, "it is not executable", remedy: "name the program, or run chmod +x")
                : MachineCapability(.blocked, program, "there is no such program", remedy: "check its path")
        }
        guard let kind = ExecutableKind(path: path) else {
            return MachineCapability(.blocked, program, "it cannot be read", remedy: "check its permissions")
        }
        if let obstacle = kind.obstacle {
            return MachineCapability(.blocked, program, obstacle.reason, remedy: obstacle.remedy)
        }
        if kind == .unknown {
            return MachineCapability(
                .limited, program, "it is neither an ELF program nor a script", remedy: "name the program that runs it")
        }
        return MachineCapability(.ok, program, finding(kind))
    }

    private static func finding(_ kind: ExecutableKind) -> String {
        switch kind {
        case .script(let interpreter):
            "a script for \(interpreter): the first program with queues that it starts is recorded, and with "
                + "--follow-children all of them"
        case .linkedWithInterposer: "has the interposer linked in"
        case .containsLibdispatch, .fullyStatic: "linked statically, with the recorder in it"
        case .dynamic(usesLibdispatch: false):
            "does not use libdispatch itself; the interposer can be preloaded to record its libraries"
        default: "uses libdispatch from a shared library, so the interposer can be preloaded"
        }
    }
}
