import TraceReports

/// One line of `queuescope doctor`: something that recording or reporting needs, and how it is here.
struct MachineCapability: Equatable {
    enum State: String {
        case ok
        /// Recording works, but tells less or costs more.
        case limited
        /// A tool that is not needed to record is not there.
        case missing
        /// Nothing can be recorded.
        case blocked

        /// How it stands out on a terminal.
        var color: TextColor {
            switch self {
            case .ok: .good
            case .limited, .missing: .warning
            case .blocked: .error
            }
        }
    }

    let state: State
    let name: String
    /// What was found, in a few words.
    let finding: String
    /// What to do about it; empty when there is nothing to do.
    let remedy: String

    init(_ state: State, _ name: String, _ finding: String, remedy: String = "") {
        self.state = state
        self.name = name
        self.finding = finding
        self.remedy = state == .ok ? "" : remedy
    }

    /// Every check, in the order in which the doctor prints them. A new check is one more entry.
    private static let checks: [@Sendable (Machine) -> MachineCapability?] = [
        ProgramCapability.examine,
        RecorderCapability.preloading,
        SystemCapability.libc,
        SystemCapability.kernel,
        SystemCapability.pages,
        SystemCapability.clock,
        ProcessorCapability.processors,
        ProcessorCapability.contextSwitches,
        MemoryCapability.controlGroup,
        MemoryCapability.sharedMemory,
        RecorderCapability.limits,
        RecorderCapability.seccomp,
        RecorderCapability.allocator,
        ToolCapability.symbolizer,
        ToolCapability.babeltrace,
        LTTngCapability.tracepoints,
        LTTngCapability.sessions,
        ToolCapability.browser,
    ]

    /// The results of all checks that apply.
    static func all(of machine: Machine) -> [MachineCapability] { checks.compactMap { $0(machine) } }
}
