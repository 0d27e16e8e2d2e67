import CTFReader
import Glibc

/// A process that this user may inspect.
struct ProcessIdentity {
    let pid: Int32
    /// The name of the executable, or the name that the process gave itself.
    let name: String
    /// The path of the executable in the file system of the process; nil when it cannot be read.
    let executable: String?
    /// The same without the mark of a removed file.
    var executablePath: String? {
        executable.map { $0.hasSuffix(Self.deletedMark) ? String($0.dropLast(Self.deletedMark.utf8.count)) : $0 }
    }
    /// The start of the process in clock ticks since the boot. It distinguishes a later process with the same id.
    let startTime: UInt64

    var directory: String { "/proc/\(pid)" }
    /// The root of the file system of the process, which can be a container.
    var root: String { "/proc/\(pid)/root" }

    /// Checks that a process exists and can be inspected.
    ///
    /// - Parameter pid: the id in the namespace of this command. The id of a thread is refused.
    /// - Throws: ``InspectionError`` with the reason.
    init(_ pid: Int32) throws(InspectionError) {
        guard pid > 0, let status = ProcFile.text("/proc/\(pid)/status"),
            let stat = ProcFile.text("/proc/\(pid)/stat"), let start = Self.startTime(stat)
        else {
            throw InspectionError(code: .noSuchProcess, sentence: "there is no process \(pid)")
        }
        if let group = ProcFile.field("Tgid", of: status).flatMap({ Int32($0) }), group != pid {
            throw InspectionError(
                code: .noSuchProcess, sentence: "\(pid) is a thread of process \(group). Name the process")
        }
        let name = ProcFile.field("Name", of: status).map(String.init) ?? "\(pid)"
        if ProcFile.field("State", of: status)?.first == "Z" {
            throw InspectionError(
                code: .zombie,
                sentence: "process \(pid) (\(name)) has ended; its parent has not read its exit status yet")
        }
        if Self.isKernelThread(stat) {
            throw InspectionError(code: .kernelThread, sentence: "\(pid) (\(name)) is a thread of the kernel")
        }
        if let tracer = ProcFile.field("TracerPid", of: status).flatMap({ Int32($0) }), tracer != 0 {
            let tool = ProcFile.text("/proc/\(tracer)/comm").map { " (\($0.prefix { $0 != "\n" }))" } ?? ""
            throw InspectionError(
                code: .traced,
                sentence: "process \(pid) (\(name)) is traced by process \(tracer)\(tool), and a process has one "
                    + "tracer at a time. Detach that debugger first")
        }
        self.pid = pid
        executable = ProcFile.link("/proc/\(pid)/exe")
        self.name = executable.flatMap { Self.fileName($0) } ?? name
        startTime = start
        guard executable != nil, let header = Self.header(pid) else { throw Self.refusal(pid, name, status) }
        // Byte 4 of an ELF file is its class: 1 for 32 bits, 2 for 64 bits.
        guard header.count > 4, header[4] == 2 else {
            throw InspectionError(
                code: .unsupported,
                sentence: "process \(pid) (\(name)) is a 32-bit program. Only 64-bit programs can be inspected")
        }
    }

    /// Whether the same process still exists.
    var exists: Bool {
        guard let stat = ProcFile.text("\(directory)/stat") else { return false }
        return Self.startTime(stat) == startTime && Self.fields(stat).first != "Z" && Self.fields(stat).first != "X"
    }

    /// The error for a process that disappeared during the inspection.
    var ended: InspectionError {
        InspectionError(code: .ended, sentence: "process \(pid) (\(name)) ended during the inspection")
    }

    /// The reason why this user may not inspect a process.
    static func refusal(_ pid: Int32, _ name: String, _ status: String) -> InspectionError {
        let process = "process \(pid) (\(name))"
        let owner = ProcFile.field("Uid", of: status)?.split(separator: "\t").first.flatMap { UInt32($0) }
        let scope = ProcFile.text("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        let sentence: String
        if let owner, owner != geteuid(), geteuid() != 0 {
            sentence = "\(process) belongs to user \(owner). Run the command as that user or as root"
        } else if geteuid() != 0, scope == 1 {
            sentence =
                "the kernel permits only the parent of \(process) to read its memory (kernel.yama.ptrace_scope is 1). "
                + "Run the command as root"
        } else if scope >= 2 {
            sentence =
                "the kernel does not permit this user to read the memory of \(process) (kernel.yama.ptrace_scope is "
                + "\(scope)). \(scope == 2 ? "Run the command with CAP_SYS_PTRACE" : "It lasts until a reboot")"
        } else {
            sentence =
                "the kernel does not permit this user to read the memory of \(process). Run the command as root, or in "
                + "a container with the capability CAP_SYS_PTRACE"
        }
        return InspectionError(code: .notPermitted, sentence: sentence)
    }

    /// The first bytes of the executable, read through the memory right: nil without the right to trace the process.
    private static func header(_ pid: Int32) -> [UInt8]? {
        guard let maps = ProcFile.text("/proc/\(pid)/maps"), !maps.isEmpty else { return nil }
        let memory = ProcessMemory(RunningMemory(pid: pid))
        let path = ProcFile.link("/proc/\(pid)/exe") ?? ""
        let mappings = ProcessMaps(maps).mappings
        let first = mappings.first { $0.isFile && path.hasPrefix($0.path) && $0.offset == 0 }
        guard let begin = (first ?? mappings.first { $0.isFile && $0.offset == 0 })?.range.lowerBound else {
            return nil
        }
        let bytes = memory.bytes(at: begin, count: 16)
        return bytes.starts(with: [0x7F] + "ELF".utf8) ? bytes : nil
    }

    /// The kernel adds it to the path of a removed file.
    static let deletedMark = " (deleted)"

    private static func fileName(_ path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init)
        return name.map { $0.hasSuffix(deletedMark) ? String($0.dropLast(deletedMark.utf8.count)) : $0 }
    }

    /// The fields of a stat file after the name, which is in parentheses and can contain any character.
    private static func fields(_ stat: String) -> [Substring] {
        guard let end = stat.lastIndex(of: ")") else { return [] }
        return stat[end...].dropFirst().split(separator: " ")
    }

    /// Field 22 of a stat file. The fields after the name begin with field 3.
    private static func startTime(_ stat: String) -> UInt64? {
        let fields = fields(stat)
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    /// The flag `PF_KTHREAD` in field 9 of a stat file.
    private static func isKernelThread(_ stat: String) -> Bool {
        let fields = fields(stat)
        return fields.count > 6 && (UInt64(fields[6]) ?? 0) & 0x0020_0000 != 0
    }
}
