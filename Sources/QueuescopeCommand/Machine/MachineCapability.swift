import ReportText

/// A line of `queuescope doctor`: a requirement of recording or reporting, and its state on this machine.
struct MachineCapability: Equatable {
    enum State: String {
        case ok
        /// Recording works, but with fewer data or at a higher cost.
        case limited
        /// A tool that recording does not need is not installed.
        case missing
        /// Nothing can be recorded.
        case blocked

        /// The style on a terminal.
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
    /// The observed facts, in a few words.
    let finding: String
    /// The remedy; empty when none is needed.
    let remedy: String

    init(_ state: State, _ name: String, _ finding: String, remedy: String = "") {
        self.state = state
        self.name = name
        self.finding = finding
        self.remedy = state == .ok ? "" : remedy
    }

    /// All checks, in the order of the output. A new check is one more entry.
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
        ToolCapability.babeltrace,
        LTTngCapability.tracepoints,
        LTTngCapability.sessions,
        ToolCapability.browser,
    ]

    /// The results of all checks that apply.
    static func all(of machine: Machine) -> [MachineCapability] { checks.compactMap { $0(machine) } }
}
