import CPerfEvents
import FoundationEssentials
import Glibc
import TraceReports

/// Something that recording or reporting can use on this machine.
struct MachineCapability {
    let name: String
    let isThere: Bool
    /// What was found, in a few words.
    let finding: String
    /// How to get it, where it is missing.
    let remedy: String

    init(_ name: String, isThere: Bool, _ finding: String, remedy: String) {
        self.name = name
        self.isThere = isThere
        self.finding = finding
        self.remedy = remedy
    }

    /// `ok` or `missing`, equally wide.
    func mark(inColor: Bool) -> String {
        let text = isThere ? "ok     " : "missing"
        return inColor ? "\u{1B}[\(isThere ? "1;32" : "1;33")m\(text)\u{1B}[0m" : text
    }

    /// Everything, the most important first, after the program that is to be recorded when there is one.
    static func all(for program: String?) -> [MachineCapability] {
        let object = Result { try PreloadObject() }
        return (program.map { [ProgramCapability.examine($0)] } ?? []) + [
            preloading(object), invariantCounter(), contextSwitches(RecordingTrial.run(try? object.get())),
            symbolizer(),
            babeltrace(), LTTngCapability.tracepoints(), LTTngCapability.sessions(), browser(),
        ]
    }

    private static func preloading(_ object: Result<PreloadObject, any Error>) -> MachineCapability {
        let name = "any program"
        switch object {
        case .success(let object):
            return MachineCapability(name, isThere: true, "recorded by \(object.path)", remedy: "")
        case .failure(let error):
            return MachineCapability(
                name, isThere: false, "only programs that link Queuescope can be recorded",
                remedy: (error as? CommandFailure)?.sentence ?? "\(error)")
        }
    }

    /// The recorder's clock.
    private static func invariantCounter() -> MachineCapability {
        let name = "fast clock"
        #if arch(x86_64)
            let information = text(of: "/proc/cpuinfo")
            let flags = information.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
            let isThere = flags.contains("constant_tsc") && flags.contains("nonstop_tsc")
            return MachineCapability(
                name, isThere: isThere,
                isThere ? "the time stamp counter is invariant" : "the time stamp counter is not invariant",
                remedy: "recording works with clock_gettime instead, at 15 ns more per event")
        #else
            return MachineCapability(name, isThere: true, "the processor's generic counter", remedy: "")
        #endif
    }

    private static func contextSwitches(_ trial: RecordingTrial?) -> MachineCapability {
        let name = "context switches"
        let level = text(of: "/proc/sys/kernel/perf_event_paranoid").filter { !$0.isWhitespace }
        let setting = level.isEmpty ? "this kernel has no perf events" : "perf_event_paranoid is \(level)"
        let getPermission =
            level.isEmpty
            ? "a kernel with CONFIG_PERF_EVENTS has them"
            : "sudo sysctl kernel.perf_event_paranoid=2; in a container, let it use perf_event_open "
                + "(docker run --cap-add PERFMON, or a seccomp profile)"
        guard let trial else {
            // This executable cannot be recorded itself (it is linked statically where it is installed): what it may do, those that it starts may do.
            let isPermitted = qs_perf_events_arm()
            let finding = isPermitted ? "perf events may be opened" : "perf_event_open is refused"
            return MachineCapability(
                name, isThere: isPermitted, "\(finding) (\(setting))", remedy: getPermission)
        }
        switch trial.processorTrack {
        case .perfEvents: return MachineCapability(name, isThere: true, "perf events, tried (\(setting))", remedy: "")
        case .schedstat:
            return MachineCapability(
                name, isThere: false, "only how long each thread ran and waited (schedstat): \(trial.detail)",
                remedy: getPermission)
        default: return MachineCapability(name, isThere: false, "none: \(trial.detail)", remedy: getPermission)
        }
    }

    private static func symbolizer() -> MachineCapability {
        let tool = Symbolizer().tool
        return MachineCapability(
            "symbols", isThere: tool != nil,
            tool.map { "\($0)" } ?? "llvm-symbolizer is neither on PATH nor next to swift",
            remedy: "put the Swift toolchain's usr/bin on PATH; until then stacks show modules and offsets")
    }

    private static func babeltrace() -> MachineCapability {
        program(
            "babeltrace2", "CTF by other tools", remedy: "apt install babeltrace2 (optional: reads the same traces)")
    }

    private static func browser() -> MachineCapability {
        program(
            "xdg-open", "timeline --open", remedy: "apt install xdg-utils, or open the HTML file in a browser yourself")
    }

    private static func program(_ program: String, _ name: String, remedy: String) -> MachineCapability {
        let path = ExecutableSearch.path(of: program)
        return MachineCapability(name, isThere: path != nil, path ?? "\(program) is not installed", remedy: remedy)
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
