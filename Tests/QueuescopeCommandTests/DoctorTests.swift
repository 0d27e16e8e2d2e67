import CKernel
import Foundation
import TestSupport
import Testing

@testable import QueuescopeCommand

/// The doctor of the built command on this machine.
@Suite struct DoctorCommandTests {
    private let queuescope = Program.queuescope

    @Test("Without a preload library recording is blocked, and perf events are tested nevertheless")
    func withoutTrial() throws {
        let result = try queuescope.run(["doctor"], environment: ["QUEUESCOPE_PRELOAD": "/nonexistent"])
        #expect(result.status == 69)
        #expect(result.lines.first?.hasPrefix(" blocked  any program ") == true)
        let line = try #require(result.lines.first { $0.contains(" context switches ") })
        #expect(line.hasPrefix(qs_perf_events_arm() ? " ok " : " limited "))
    }

    @Test("A program is reported as recordable, or with its obstacle")
    func programs() throws {
        let directory = TemporaryDirectory()
        func line(_ program: String) throws -> String {
            let lines = try queuescope.run(["doctor", program]).lines
            return String(try #require(lines.first { $0.contains("  \(program)  ") }))
        }
        #expect(try line("/bin/ls").contains("does not use libdispatch itself"))
        #expect(try line(Program.built("NewsService").path).contains("uses libdispatch from a shared library"))
        #expect(try line("/etc/passwd").hasSuffix("it is not executable"))
        #expect(try line("/nonexistent").hasSuffix("there is no such program"))
        let text = directory.appending("text")
        try "text".write(toFile: text, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: text)
        #expect(try line(text).hasPrefix(" limited"))
        #expect(try line(text).contains("neither an ELF program"))
    }

    @Test("Every line is a check or its remedy; missing tools do not fail")
    func examines() throws {
        let result = try queuescope.run(["doctor"], environment: ["PATH": "/nonexistent"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(!result.output.contains("\u{1B}"))
        #expect(result.lines.contains { $0.hasPrefix(" missing") && $0.contains("babeltrace2") })
        let bad = result.lines.count { $0.hasPrefix(" missing") || $0.hasPrefix(" limited") }
        #expect(result.lines.count { $0.contains("→ ") } == bad)
        #expect(
            result.lines.allSatisfy { line in
                line.contains("→ ") || [" ok ", " limited ", " missing "].contains(where: line.hasPrefix)
            })
    }
}

/// Single checks on machines that are described by the files that the checks read.
@Suite struct DoctorTests {
    /// A machine with these files. No other file is readable.
    private func machine(_ files: [String: String] = [:]) -> Machine { Machine(text: { files[$0] }) }

    private let unified = "24 23 0:21 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
    private let legacy = """
        34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory

        """

    @Test("Control groups of version 2: the smallest limit up to the mount counts, and max means no limit")
    func nestedGroups() {
        var files = [
            "/proc/self/cgroup": "0::/service.slice/news.service\n", "/proc/self/mountinfo": unified,
            "/sys/fs/cgroup/service.slice/news.service/memory.max": "max\n",
            "/sys/fs/cgroup/service.slice/memory.max": "536870912\n",
            "/sys/fs/cgroup/service.slice/news.service/cpu.max": "150000 100000\n",
            "/sys/fs/cgroup/service.slice/cpu.max": "max 100000\n",
        ]
        #expect(ControlGroups(machine(files)).memoryLimit == 512 << 20)
        #expect(ControlGroups(machine(files)).processorQuota == 1.5)
        files["/sys/fs/cgroup/service.slice/memory.max"] = "max\n"
        files["/sys/fs/cgroup/service.slice/news.service/cpu.max"] = "max 100000\n"
        #expect(ControlGroups(machine(files)).memoryLimit == nil)
        #expect(ControlGroups(machine(files)).processorQuota == nil)
    }

    @Test("Control groups of version 1: a hierarchy per controller, and a number that means no limit")
    func legacyGroups() {
        var files = [
            "/proc/self/cgroup": "5:cpuacct,cpu:/news\n4:memory:/news\n0::/\n",
            "/proc/self/mountinfo": legacy + unified,
            "/sys/fs/cgroup/memory/news/memory.limit_in_bytes": "268435456\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/cpu,cpuacct/news/cpu.cfs_quota_us": "50000\n",
            "/sys/fs/cgroup/cpu,cpuacct/news/cpu.cfs_period_us": "100000\n",
        ]
        #expect(ControlGroups(machine(files)).memoryLimit == 256 << 20)
        #expect(ControlGroups(machine(files)).processorQuota == 0.5)
        files["/sys/fs/cgroup/memory/news/memory.limit_in_bytes"] = "9223372036854771712\n"
        files["/sys/fs/cgroup/cpu,cpuacct/news/cpu.cfs_quota_us"] = "-1\n"
        #expect(ControlGroups(machine(files)).memoryLimit == nil)
        #expect(ControlGroups(machine(files)).processorQuota == nil)
    }

    @Test(
        "In a container the mount shows its own group, with or without a cgroup namespace",
        arguments: [("/", "/"), ("/docker/4f", "/docker/4f"), ("/docker/4f", "/"), ("/", "/../../other")])
    func containers(root: String, group: String) {
        let files = [
            "/proc/self/cgroup": "0::\(group)\n",
            "/proc/self/mountinfo": "24 23 0:21 \(root) /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
            "/sys/fs/cgroup/memory.max": "67108864\n",
        ]
        #expect(ControlGroups(machine(files)).memoryLimit == 64 << 20)
    }

    @Test("Without readable groups there is no limit")
    func withoutGroups() {
        #expect(ControlGroups(machine()).memoryLimit == nil)
        #expect(ControlGroups(machine()).processorQuota == nil)
        #expect(MemoryCapability.controlGroup(machine()).state == .ok)
    }

    @Test("A small container reduces the memory for events, and the doctor reports the size")
    func smallMemory() {
        let files = [
            "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": unified, "/sys/fs/cgroup/memory.max": "134217728\n",
        ]
        let capability = MemoryCapability.controlGroup(machine(files))
        #expect(capability.state == .limited)
        #expect(capability.finding.contains("128 MiB"))
        #expect(capability.remedy.contains("--memory"))
    }

    @Test("Shared memory segments must exist, have room for the events, and outlive the program")
    func sharedMemory() {
        var files = ["shmmni": "4096\n", "shmmax": "18446744073692774399\n", "shm_rmid_forced": "0\n"]
        func capability() -> MachineCapability {
            let settings = files.map { ("/proc/sys/kernel/\($0)", $1) }
            return MemoryCapability.sharedMemory(machine(Dictionary(uniqueKeysWithValues: settings)))
        }
        #expect(capability().state == .ok)
        files["shmmax"] = "33554432\n"
        #expect(capability().state == .limited && capability().finding.contains("32 MiB"))
        files["shm_rmid_forced"] = "1\n"
        #expect(capability().state == .limited && capability().finding.contains("shm_rmid_forced"))
        files["shmmni"] = "0\n"
        #expect(capability().state == .limited && capability().remedy.contains("shmmni"))
        files = [:]
        #expect(capability().state == .limited)
    }

    @Test(
        "Processors are read from lists",
        arguments: [
            ("0", 1), ("0-999999999999", nil), ("0-3,8,10-11\n", 7), ("", nil), ("a", nil), ("3-1", nil),
            ("0-", nil), ("1-2-3", nil),
        ] as [(String, Int?)])
    func processorLists(list: String, count: Int?) {
        #expect(ProcessorCapability.numbers(list.trimmingCharacters(in: .whitespacesAndNewlines))?.count == count)
    }

    @Test("The processors are the processors that the process may use")
    func processors() {
        var files = [
            "/proc/self/status": "Cpus_allowed:\t3\nCpus_allowed_list:\t0-1\n",
            "/sys/devices/system/cpu/online": "0-63\n",
            "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": unified, "/sys/fs/cgroup/cpu.max": "150000 100000\n",
        ]
        let limited = ProcessorCapability.processors(machine(files))
        #expect(limited.state == .limited)
        #expect(limited.finding == "2 of 64 may be used (affinity or cpuset), with a CFS quota of 1.5")
        files["/sys/fs/cgroup/cpu.max"] = "800000 100000\n"
        let whole = ProcessorCapability.processors(machine(files))
        #expect(whole.state == .ok)
        #expect(whole.finding == "2 of 64 may be used (affinity or cpuset)")
        files["/proc/self/status"] = "Cpus_allowed_list:\t0-239\n"
        #expect(ProcessorCapability.processors(machine(files)).finding == "64, with a CFS quota of 8.0")
    }

    @Test(
        "The C library must be glibc 2.26 or later, and has all features from 2.35 on",
        arguments: [
            ("glibc 2.36", .ok), ("glibc 2.35", .ok), ("glibc 2.34", .limited), ("glibc 2.26", .limited),
            ("glibc 2.25", .blocked), ("", .blocked),
        ] as [(String, MachineCapability.State)])
    func libc(name: String, state: MachineCapability.State) {
        var here = machine()
        here.libc = name
        #expect(SystemCapability.libc(here).state == state)
    }

    @Test("Old kernels are reported with their missing features")
    func kernels() {
        func kernel(_ release: String) -> MachineCapability {
            SystemCapability.kernel(machine(["/proc/sys/kernel/osrelease": release + "\n"]))
        }
        #expect(kernel("6.1.0-18-amd64").state == .ok)
        #expect(kernel("5.14.0-362.el9").state == .ok)
        #expect(kernel("5.13.19").finding.contains("MADV_POPULATE_WRITE"))
        #expect(!kernel("5.10.0-28").finding.contains("close_range"))
        #expect(kernel("4.18.0-513.el8").finding.contains("close_range"))
        #expect(!kernel("4.14.336").finding.contains("oldest"))
        #expect(kernel("3.10.0").finding.contains("4.14 is the oldest"))
        #expect(kernel("").state == .limited)
    }

    @Test("Without context switches the doctor names the remedy: permission for the call, or memory")
    func contextSwitches() {
        var here = machine(["/proc/sys/kernel/perf_event_paranoid": "3\n"])
        let refused = ProcessorCapability.contextSwitches(here)
        #expect(refused.finding == "perf_event_open is refused (perf_event_paranoid is 3)")
        here.trial = RecordingTrial(processorTrack: .perfEvents, detail: "")
        #expect(ProcessorCapability.contextSwitches(here).state == .ok)
        here.trial = RecordingTrial(processorTrack: .schedstat, detail: "perf_event_open is refused: Permission denied")
        #expect(ProcessorCapability.contextSwitches(here).state == .limited)
        #expect(ProcessorCapability.contextSwitches(here).remedy.contains("--cap-add PERFMON"))
        here.trial = RecordingTrial(
            processorTrack: .none, detail: "the kernel has no memory for context switches: Operation not permitted")
        #expect(ProcessorCapability.contextSwitches(here).remedy.hasPrefix("ulimit -l"))
    }

    #if arch(x86_64)
        @Test("The time stamp counter is used if the processor and the kernel both trust it")
        func clock() {
            func state(_ flags: String, _ source: String?) -> MachineCapability.State {
                var files = ["/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu \(flags) nx\n"]
                files["/sys/devices/system/clocksource/clocksource0/current_clocksource"] = source
                return SystemCapability.clock(machine(files)).state
            }
            #expect(state("constant_tsc nonstop_tsc", "tsc\n") == .ok)
            #expect(state("constant_tsc nonstop_tsc", nil) == .ok)
            #expect(state("constant_tsc nonstop_tsc", "hpet\n") == .limited)
            #expect(state("constant_tsc", "tsc\n") == .limited)
        }
    #endif

    @Test("Limits of the process that lose events are reported with the command that raises them")
    func limits() {
        let wide = """
            Limit                     Soft Limit           Hard Limit           Units
            Max file size             unlimited            unlimited            bytes
            Max open files            1024                 524288               files
            Max address space         unlimited            unlimited            bytes

            """
        #expect(RecorderCapability.limits(machine(["/proc/self/limits": wide])).state == .ok)
        let tight = RecorderCapability.limits(
            machine([
                "/proc/self/limits": wide.replacing("1024      ", with: "64        ")
                    .replacing("size             unlimited", with: "size             1048576  ")
            ]))
        #expect(tight.state == .limited)
        #expect(tight.finding.contains("64 descriptors") && tight.finding.contains("files of 1 MiB"))
        #expect(tight.remedy == "ulimit -n 1024; ulimit -f unlimited")
    }

    @Test("A seccomp filter is reported unless a test recording worked under it")
    func seccomp() {
        var here = machine(["/proc/self/status": "Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n"])
        #expect(RecorderCapability.seccomp(here).state == .limited)
        here.trial = RecordingTrial(processorTrack: .none, detail: "")
        #expect(RecorderCapability.seccomp(here).state == .ok)
        #expect(RecorderCapability.seccomp(machine(["/proc/self/status": "Seccomp:\t0\n"])).finding == "no filter")
    }

    @Test(
        "Other allocators are reported, whatever their origin",
        arguments: [
            ("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "", "libjemalloc.so.2, which is known to work"),
            ("/a.so:/lib/libtcmalloc_minimal.so.4", "", "libtcmalloc_minimal.so.4, which is known to work"),
            ("", "/lib/libjemalloc.so\n", "libjemalloc.so, which is known to work"), ("/a.so", "", "libc's"),
        ])
    func allocator(preload: String, file: String, finding: String) {
        var here = machine(["/etc/ld.so.preload": file])
        here.environment["LD_PRELOAD"] = preload
        #expect(RecorderCapability.allocator(here).finding == finding)
    }

    @Test("Exactly the checks that are not ok have a remedy")
    func remedies() {
        for capability in MachineCapability.all(of: machine()) {
            #expect(capability.remedy.isEmpty == (capability.state == .ok), "\(capability.name)")
        }
    }

    @Test(
        "Sizes are shown with one decimal at most",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (65_536, "64 KiB"), (1_610_612_736, "1.5 GiB"), (.max, "17179869183.9 GiB"),
        ] as [(UInt64, String)])
    func sizes(bytes: UInt64, text: String) {
        #expect(ByteSize(bytes: bytes).readable == text)
    }
}
