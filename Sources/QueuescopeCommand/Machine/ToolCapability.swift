import Symbolication

/// The checks of `queuescope doctor` for optional tools of reports and timelines.
enum ToolCapability {
    static func babeltrace(_ machine: Machine) -> MachineCapability {
        program(
            "babeltrace2", "CTF by other tools", remedy: "apt install babeltrace2 (optional: reads the same traces)")
    }

    static func browser(_ machine: Machine) -> MachineCapability {
        program(
            "xdg-open", "timeline --open", remedy: "apt install xdg-utils, or open the HTML file in a browser")
    }

    private static func program(_ program: String, _ name: String, remedy: String) -> MachineCapability {
        guard let path = ExecutableSearch.path(of: program) else {
            return MachineCapability(.missing, name, "\(program) is not installed", remedy: remedy)
        }
        return MachineCapability(.ok, name, path)
    }
}
