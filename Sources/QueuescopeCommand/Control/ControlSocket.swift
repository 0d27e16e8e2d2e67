import CKernel
import CTFReader
import FoundationEssentials
import Glibc

/// A control socket that `/proc/net/unix` lists: the sockets of this network namespace.
struct ControlSocket: Hashable {
    private static let prefix = "queuescope."

    let name: String
    /// The version of the protocol.
    let version: Int
    /// The process id in the name, which is a number of the PID namespace of the process.
    let number: pid_t

    /// Nil when the name is no name of a control socket: `queuescope.VERSION.PID`, and a number if several processes of
    /// different PID namespaces have this PID.
    init?(name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        let parts = name.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let version = Int(parts[0]), let number = pid_t(parts[1]), number > 0 else {
            return nil
        }
        if parts.count == 3, Int(parts[2]) == nil { return nil }
        (self.name, self.version, self.number) = (name, version, number)
    }

    /// The sockets that a process with this id would have, the most likely first. The recorder tries the same names.
    static func names(of id: pid_t) -> [ControlSocket] {
        (0..<4).compactMap { number in
            let suffix = number == 0 ? "" : ".\(number)"
            return ControlSocket(name: "\(prefix)\(ControlRequest.version).\(id)\(suffix)")
        }
    }

    /// The listening sockets, sorted by process id. The kernel omits some rows of the table if other sockets are opened
    /// or closed while it is read, so it is read several times. The result may include closed sockets.
    static func all() -> [ControlSocket] {
        let tables = (0..<3).compactMap { _ in ProcFile.text("/proc/net/unix") }
        let found = Set(tables.flatMap(sockets(in:)))
        return found.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    }

    /// Parses the table of the kernel.
    ///
    /// - Parameter table: lines of `Num RefCount Protocol Flags Type St Inode Path`.
    static func sockets(in table: String) -> [ControlSocket] {
        let listening = "00010000"
        return table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count == 8, columns[3] == listening, columns[7].hasPrefix("@") else { return nil }
            return ControlSocket(name: String(columns[7].dropFirst()))
        }.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    }
}

/// A connection to the control socket of a process.
final class ControlConnection {
    /// The reason why there is no answer.
    enum Failure: Error, Equatable {
        /// Nothing listens, or the process has ended.
        case closed
        /// The process does not answer in time.
        case silent
        /// The answer is not one of the protocol.
        case invalid
        /// The system refuses, with this `errno`.
        case system(Int32)
    }

    /// The longest wait for the answer to a question in milliseconds.
    static let patience: Int32 = 5_000
    /// The longest wait for the start or the stop of a session: it waits for others, and for the disk.
    static let longPatience: Int32 = 60_000

    /// Attempts to connect, 10 ms apart.
    private static let connectionAttempts = 200

    private let descriptor: Int32
    /// The process that listens; 0 if it is in another PID namespace.
    let process: pid_t
    let user: uid_t

    init(to socket: ControlSocket) throws(Failure) {
        var (process, user): (Int32, UInt32) = (0, 0)
        var result = qs_control_connect(socket.name, &process, &user)
        // Other clients may fill the queue of connections for a moment.
        for _ in 0..<Self.connectionAttempts where result == -EAGAIN {
            usleep(10_000)
            result = qs_control_connect(socket.name, &process, &user)
        }
        guard result >= 0 else {
            switch -result {
            case ECONNREFUSED, ENOENT: throw .closed
            case EAGAIN: throw .silent
            default: throw .system(-result)
            }
        }
        (descriptor, self.process, self.user) = (result, process, user)
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - milliseconds: the longest wait.
    func ask(_ request: ControlRequest, atMost milliseconds: Int32 = patience) throws(Failure) -> ControlAnswer {
        let bytes = request.bytes
        let sent = qs_control_send(descriptor, bytes, bytes.count)
        // The process may refuse the connection before it reads the request. The answer is then the reason.
        guard sent >= 0 || sent == -Int64(EPIPE) || sent == -Int64(ECONNRESET) else { throw .system(Int32(-sent)) }
        guard waitForMessage(atMost: milliseconds) else { throw .silent }
        return try receive()
    }

    /// Waits for a message, or for the end of the connection. Returns false after the time.
    func waitForMessage(atMost milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, milliseconds) > 0
    }

    private func receive() throws(Failure) -> ControlAnswer {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = qs_control_receive(descriptor, &bytes, bytes.count)
        // A process that refuses the user closes the connection without reading the request. The kernel then reports
        // the reset before the answer.
        if count == -Int64(ECONNRESET) { count = qs_control_receive(descriptor, &bytes, bytes.count) }
        if count == 0 || count == -Int64(ECONNRESET) { throw .closed }
        guard count > 0 else { throw .system(Int32(-count)) }
        guard let answer = ControlAnswer(Array(bytes.prefix(Int(count)))) else { throw .invalid }
        return answer
    }
}
