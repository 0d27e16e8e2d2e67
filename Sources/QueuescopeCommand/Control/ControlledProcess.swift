import CTFReader
import FoundationEssentials
import Glibc

/// A process with a control socket.
struct ControlledProcess {
    let id: pid_t
    private let socket: ControlSocket

    /// Finds the control socket of a process.
    ///
    /// - Parameter id: the process.
    /// - Throws: ``CommandFailure`` with the reason why the process cannot be controlled, and the remedy.
    init(_ id: pid_t) throws {
        guard let found = try Self.find(id) else { throw Self.withoutSocket(id) }
        self = found
    }

    /// The error for a process without a control socket.
    static func withoutSocket(_ id: pid_t) -> CommandFailure {
        CommandFailure(
            .unavailable,
            "process \(id) (\(ProcessFacts.name(of: id))) has no control socket, because it was started without the "
                + "recorder or has closed it. queuescope record --pid \(id) loads the recorder into it. Or start it "
                + "with LD_PRELOAD=libqueuescope_preload.so, or with QUEUESCOPE_CONTROL=1 if it links Queuescope; "
                + "queuescope stuck \(id) diagnoses it without a recorder")
    }

    private init(_ id: pid_t, _ socket: ControlSocket) { (self.id, self.socket) = (id, socket) }

    /// Finds the control socket of a process; nil when it has none.
    ///
    /// - Throws: ``CommandFailure`` with the reason why a socket could not be reached.
    static func find(_ id: pid_t) throws -> ControlledProcess? {
        guard id > 0, access("/proc/\(id)", F_OK) == 0 else {
            throw CommandFailure(.unavailable, "there is no process \(id). queuescope ps lists the processes")
        }
        // The number in the name may be of another PID namespace, so the kernel is asked for the process.
        func isOfProcess(_ socket: ControlSocket) -> Bool {
            do throws(ControlConnection.Failure) {
                return try ControlConnection(to: socket).process == id
            } catch {
                return error == .silent && socket.number == id
            }
        }
        let sockets = ControlSocket.all()
        let candidates =
            ControlSocket.names(of: id)
            + sockets.filter { $0.number != id && $0.version == ControlRequest.version }
        if let socket = candidates.first(where: isOfProcess) { return ControlledProcess(id, socket) }
        if let obstacle = obstacle(id, sockets) { throw obstacle }
        return nil
    }

    /// The reason why no socket of a process can be reached; nil when the process has none.
    private static func obstacle(_ id: pid_t, _ sockets: [ControlSocket]) -> CommandFailure? {
        let name = ProcessFacts.name(of: id)
        if ProcessFacts.hasEnded(id) { return CommandFailure(.unavailable, "process \(id) (\(name)) has ended") }
        if let owner = ProcessFacts.user(of: id), geteuid() != 0, owner != geteuid() {
            return refusal(id, owner: owner)
        }
        if ProcessFacts.isInOtherNetwork(id) {
            return CommandFailure(
                .unavailable,
                "process \(id) (\(name)) is in another network namespace, and its control socket is only visible "
                    + "there: run the command in its container, or as root with nsenter --target \(id) --net")
        }
        if let other = sockets.first(where: { $0.number == id && $0.version != ControlRequest.version }) {
            return CommandFailure(
                .unavailable,
                "process \(id) (\(name)) has the recorder of another version of queuescope (protocol \(other.version))")
        }
        return nil
    }

    private static func refusal(_ id: pid_t, owner: uid_t?) -> CommandFailure {
        let user = owner.map { " (\($0))" } ?? ""
        return CommandFailure(
            .unavailable, "process \(id) belongs to another user\(user): run the command as this user, or as root")
    }

    /// Connects to the process.
    func connect() throws -> ControlConnection {
        do throws(ControlConnection.Failure) {
            return try ControlConnection(to: socket)
        } catch {
            throw sentence(error)
        }
    }

    /// Sends a request on a connection of its own.
    ///
    /// - Returns: the answer, which is a success.
    /// - Throws: ``CommandFailure`` with the reason of the process.
    func ask(_ request: ControlRequest) throws -> ControlAnswer { try ask(request, on: connect()) }

    /// Sends a request on a connection.
    func ask(_ request: ControlRequest, on connection: ControlConnection) throws -> ControlAnswer {
        let patience =
            request.command == .status ? ControlConnection.patience : ControlConnection.longPatience
        let answer: ControlAnswer
        do throws(ControlConnection.Failure) {
            answer = try connection.ask(request, atMost: patience)
        } catch {
            throw sentence(error)
        }
        guard answer.isSuccess else { throw failure(answer) }
        return answer
    }

    private func sentence(_ failure: ControlConnection.Failure) -> CommandFailure {
        let process = "process \(id) (\(ProcessFacts.name(of: id)))"
        let reason =
            switch failure {
            case .closed: "\(process) closed its control socket: it has ended, or it installed a seccomp filter"
            case .silent: "\(process) does not answer: it may be stopped (kill -CONT \(id) lets it continue)"
            case .invalid: "\(process) gave an answer that this version of queuescope does not know"
            case .system(let code): "cannot reach \(process): \(String(cString: strerror(code)))"
            }
        return CommandFailure(.unavailable, reason)
    }

    /// The error of the process as a sentence.
    private func failure(_ answer: ControlAnswer) -> CommandFailure {
        let path = answer["requested"] ?? ""
        let system = answer.number("errno").flatMap { $0 == 0 ? nil : String(cString: strerror(Int32($0))) }
        let cannot = "cannot record process \(id) into \(path)"
        switch answer["code"] ?? "" {
        case "refused": return Self.refusal(id, owner: ProcessFacts.user(of: id))
        case "active":
            let trace = answer["trace"].map { " into \($0)" } ?? ""
            return CommandFailure(
                .unavailable, "process \(id) is already recorded\(trace). Stop it first: queuescope stop \(id)")
        case "exists":
            return CommandFailure(
                .cannotCreate, "\(cannot): it exists and is no empty directory. Name a new one with --output, or add %t"
            )
        case "cannot-create":
            return CommandFailure(
                .cannotCreate,
                "\(cannot): \(system ?? "the system refuses"). Name a directory with --output that the process may "
                    + "create, in one that exists")
        case "no-memory":
            return CommandFailure(
                .unavailable, "\(cannot): \(system ?? "there is no memory"). Raise RLIMIT_AS or the memory limit")
        case "no-thread":
            return CommandFailure(
                .unavailable, "\(cannot): it cannot start a thread. Raise the limit of threads (RLIMIT_NPROC, pids.max)"
            )
        case "path-too-long": return CommandFailure(.cannotCreate, "\(cannot): the path is too long")
        case "bad-pattern":
            return CommandFailure(
                .usage,
                "\(cannot): it has an unknown letter after a percent sign; use %n, %p, %t, %h, or %% for the sign")
        case "not-recording":
            return CommandFailure(
                .unavailable, "process \(id) is not recorded. queuescope start \(id) starts a recording")
        case "lttng":
            return CommandFailure(
                .unavailable, "process \(id) records into LTTng's sessions: use lttng stop, or lttng snapshot record")
        case "timeout":
            return CommandFailure(
                .unavailable, "process \(id) could not write its events in time: its disk is slow, or does not answer")
        case "unknown-option", "unknown-command":
            return CommandFailure(
                .unavailable,
                "the recorder of process \(id) does not know \(answer["detail"] ?? "the request"): it is of an earlier "
                    + "version")
        default:
            return CommandFailure(
                .unavailable, "process \(id) refuses the request: \(answer["code"] ?? "unknown error")")
        }
    }
}

/// Facts about a process from `/proc`.
enum ProcessFacts {
    /// The name of the program; empty when it is unknown.
    static func name(of process: pid_t) -> String {
        (ProcFile.text("/proc/\(process)/comm") ?? "").split(separator: "\n").first.map(String.init) ?? ""
    }

    /// The user of the process; nil when the process has ended.
    static func user(of process: pid_t) -> uid_t? {
        var status = stat()
        // If a process cannot be dumped, /proc/PID belongs to root. Its status has the user.
        guard stat("/proc/\(process)", &status) == 0 else { return nil }
        let fields = ProcFile.text("/proc/\(process)/status").flatMap { ProcFile.field("Uid", of: $0) }?
            .split(whereSeparator: \.isWhitespace) ?? []
        return fields.count > 1 ? uid_t(fields[1]) : status.st_uid
    }

    /// Whether the process has ended and waits for its parent.
    static func hasEnded(_ process: pid_t) -> Bool {
        let text = ProcFile.text("/proc/\(process)/stat") ?? ""
        guard let end = text.lastIndex(of: ")") else { return true }
        return text[end...].hasPrefix(") Z") && threads(of: process) < 2
    }

    private static func threads(of process: pid_t) -> Int {
        ProcFile.numbers(in: "/proc/\(process)/task").count
    }

    /// Whether the process is in another network namespace. False when this is unknown.
    static func isInOtherNetwork(_ process: pid_t) -> Bool {
        var (own, other) = (stat(), stat())
        guard stat("/proc/self/ns/net", &own) == 0, stat("/proc/\(process)/ns/net", &other) == 0 else { return false }
        return own.st_ino != other.st_ino
    }

    /// The path by which this process reaches a file of another process, which may be in another mount namespace.
    static func visiblePath(of path: String, in process: pid_t) -> String {
        let inside = "/proc/\(process)/root\(path)"
        return access(path, F_OK) != 0 && access(inside, F_OK) == 0 ? inside : path
    }
}
