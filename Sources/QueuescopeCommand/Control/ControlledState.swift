import FoundationEssentials
import Glibc
import ReportText

/// The state of a process with a control socket, as `ps` and `status` show it.
struct ControlledState: Encodable, Equatable {
    enum State: String, Encodable {
        case dormant, recording
        /// The process belongs to another user.
        case noPermission = "no permission"
        /// The process does not answer, for example because it is stopped.
        case noAnswer = "no answer"
        /// The recorder of the process has another protocol.
        case otherVersion = "other version"
    }

    let pid: pid_t
    let program: String
    let state: State
    /// `preloaded` or `linked`.
    var recorder: String?
    /// `files` or `lttng`.
    var destination: String?
    /// Seconds since 1970 at which the session started.
    var since: Double?
    var mode: String?
    var trace: String?
    /// The pattern of the trace that `start` uses without `--output`.
    var defaultTrace: String?
    var discarded: Int64?
    /// The directory of the last snapshot that a signal requested, also when it failed.
    var lastSnapshot: String?
    /// The code of the error of that snapshot: `cannot-create`, `not-recording` and others.
    var snapshotError: String?

    init(pid: pid_t, program: String, state: State) { (self.pid, self.program, self.state) = (pid, program, state) }

    init(_ answer: ControlAnswer, pid: pid_t) {
        self.pid = pid
        program = answer["program"] ?? ""
        state = answer["state"].flatMap(State.init) ?? .noAnswer
        recorder = answer["recorder"]
        destination = answer["destination"]
        since = answer.number("since_ns").map { Double($0 / 1_000_000) / 1000 }
        (mode, trace, defaultTrace) = (answer["mode"], answer["trace"], answer["default"])
        discarded = answer.number("discarded")
        (lastSnapshot, snapshotError) = (answer["snapshot"], answer["snapshot_error"])
    }

    /// The states of all processes with a control socket in this network namespace.
    static func all() -> [ControlledState] { ControlSocket.all().compactMap { Self.of($0) } }

    /// Nil when the process has ended in the meantime.
    private static func of(_ socket: ControlSocket) -> ControlledState? {
        var (process, user): (pid_t, uid_t) = (socket.number, geteuid())
        func state(_ state: State) -> ControlledState {
            ControlledState(pid: process, program: ProcessFacts.name(of: process), state: state)
        }
        if socket.version != ControlRequest.version { return state(.otherVersion) }
        do throws(ControlConnection.Failure) {
            let connection = try ControlConnection(to: socket)
            // The number of this PID namespace.
            if connection.process > 0 { process = connection.process }
            user = connection.user
            if user != geteuid(), geteuid() != 0 { return state(.noPermission) }
            let answer = try connection.ask(ControlRequest(.status))
            guard answer.isSuccess else { return state(answer["code"] == "refused" ? .noPermission : .noAnswer) }
            return ControlledState(answer, pid: process)
        } catch {
            return error == .closed ? nil : state(.noAnswer)
        }
    }

    /// `since` in UTC: `2026-11-28 09:41:00`.
    var startTime: String? {
        guard let since else { return nil }
        var (seconds, parts) = (time_t(since), tm())
        gmtime_r(&seconds, &parts)
        return String(unsafeUninitializedCapacity: 24) { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress!, $0.count, "%Y-%m-%d %H:%M:%S", &parts)
            }
        }
    }

    /// The last snapshot that a signal requested, in words; nil when none was.
    var snapshotWords: String? {
        guard let lastSnapshot else { return nil }
        guard let snapshotError else { return lastSnapshot }
        let reason =
            switch snapshotError {
            case "not-recording": "nothing was recorded"
            case "lttng": "the process records into LTTng's sessions"
            case "timeout": "the events could not be written in time"
            case "exists": "the directory exists and is not empty: add %t to QUEUESCOPE_SNAPSHOT"
            case "cannot-read": "the trace cannot be read"
            case "path-too-long": "the path is too long"
            case "bad-pattern": "QUEUESCOPE_SNAPSHOT has an unknown letter after a percent sign"
            default: "the directory cannot be written"
            }
        return "failed\(lastSnapshot.isEmpty ? "" : " into \(lastSnapshot)"): \(reason)"
    }

    /// The states as a document for programs.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    /// A table with one line for each process.
    static func table(_ states: [ControlledState]) -> String {
        let head = ["PID", "PROGRAM", "STATE", "SINCE (UTC)", "MODE", "TRACE"]
        let rows = states.map { state in
            [
                "\(state.pid)", state.program, state.state.rawValue, state.startTime ?? "-",
                state.mode ?? state.destination ?? "-", state.trace ?? "-",
            ].map(DisplayText.escaped)
        }
        let widths = head.indices.dropLast().map { column in
            ([head] + rows).map { DisplayText.width($0[column]) }.max() ?? 0
        }
        return ([head] + rows).map { row in
            zip(row, widths + [0]).map { text, width in
                text + String(repeating: " ", count: max(0, width - DisplayText.width(text)))
            }.joined(separator: "  ") + "\n"
        }.joined()
    }
}
