import CTFReader
import FoundationEssentials
import Glibc

/// Reasons of a process, of its program and of the system why no object can be loaded into it.
struct AttachObstacles {
    private let process: RunningProcess
    private let status: String

    init(of process: RunningProcess) {
        self.process = process
        status = ProcFile.text("/proc/\(process.pid)/status") ?? ""
    }

    var description: String { "process \(process.pid) (\(process.name))" }

    /// The obstacle of the state of the process: a sentence, nil when there is none.
    var ofState: String? {
        let tasks = ProcFile.numbers(in: "/proc/\(process.pid)/task").compactMap {
            ProcFile.text("/proc/\(process.pid)/task/\($0)/status")
        }
        return Self.obstacle(of: status, threads: tasks).map { "\(description) \($0)" }
    }

    /// The obstacle in status files.
    ///
    /// - Parameters:
    ///   - status: the status file of the process.
    ///   - threads: the status files of its threads.
    /// - Returns: the end of a sentence about the process; nil when there is none.
    static func obstacle(of status: String, threads: [String]) -> String? {
        func number(_ field: String, of text: String, radix: Int = 10) -> UInt64 {
            ProcFile.field(field, of: text).flatMap { UInt64($0, radix: radix) } ?? 0
        }
        if ProcFile.field("State", of: status)?.first == "T" {
            return "is stopped. Continue it first: kill -CONT \(number("Pid", of: status))"
        }
        // The own namespace first, then those below it.
        if let ids = ProcFile.field("NSpid", of: status)?.split(separator: "\t"), ids.count > 1 {
            return "is in another PID namespace, such as that of a container. Run the command there, or as root with "
                + "nsenter --target \(number("Pid", of: status)) --pid --mount --net"
        }
        if ([status] + threads).contains(where: { number("Seccomp", of: $0) != 0 }) {
            return "has a seccomp filter, which may end it for the system calls of the recorder. Start the program "
                + "with queuescope record"
        }
        if number("SigIgn", of: status, radix: 16) >> UInt64(SIGTRAP - 1) & 1 == 1 {
            return "ignores SIGTRAP, with which the loaded code ends. Start the program with queuescope record"
        }
        return nil
    }

    /// The obstacle of the program and its dynamic linker: a sentence, nil when there is none.
    ///
    /// - Parameter images: the executable and the libraries of the process.
    func ofProgram(images: ProcessImages) -> String? {
        if images.loaded.contains(where: { Self.isMusl($0.name) }) {
            return "\(description) uses musl, and the recorder needs glibc. Build the program for glibc"
        }
        guard let executable = images.loaded.first(where: { $0.path == process.executablePath }) else { return nil }
        let memory = ProcessMemory(process)
        let head = memory.bytes(at: executable.begin, count: 4096)
        guard head.count == 4096, let headers = ProgramHeaders(Data(head)) else { return nil }
        guard head[Self.machineField] == Self.machine else {
            return "\(description) is built for other processors than this queuescope. Build it for this machine"
        }
        let linker = headers.interpreter.flatMap { memory.text(at: executable.image.base &+ $0) }
        if linker == nil, images.named("libc.so.6").isEmpty {
            return "\(description) is linked statically, so it cannot load a library. Link it with the interposer "
                + "(queuescope link-flags prints the flags), and start it with QUEUESCOPE_CONTROL=1"
        }
        guard let linker, !linker.hasSuffix("/ld-linux-x86-64.so.2") else { return nil }
        return "\(description) was started by \(linker), and only the dynamic linker of glibc is supported. Start the "
            + "program with queuescope record"
    }

    static func isMusl(_ name: String) -> Bool { name.hasPrefix("ld-musl-") || name.hasPrefix("libc.musl-") }

    /// The low byte of `e_machine`, the processor architecture.
    private static let machineField = 18
    #if arch(x86_64)
        private static let machine: UInt8 = 62
    #else
        private static let machine: UInt8 = 183
    #endif
}
