import CTFReader
import Foundation
import TestSupport
import Testing

private let unifiedMount = "30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
private let legacyMount = "31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

@Suite("The processors that the process may use")
struct ProcessorsTests {
    /// The quota, in thousandths of a processor, of a process with these files.
    private func quota(_ files: [String: String]) throws -> Int? {
        let root = TemporaryDirectory()
        for (path, text) in files {
            let place = URL(fileURLWithPath: root.path + path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place)
        }
        return counts(in: try Program.probe.scenario("processors", root.path).output)["quota"]
    }

    private func unified(_ limits: [String: String], group: String = "/app.slice/news.service") throws -> Int? {
        var files = ["/proc/self/cgroup": "0::\(group)\n", "/proc/self/mountinfo": unifiedMount]
        for (directory, limit) in limits { files["/sys/fs/cgroup\(directory)/cpu.max"] = limit + "\n" }
        return try quota(files)
    }

    @Test(
        "A quota of version 2 is thousandths of a processor",
        arguments: [
            ("150000 100000", 1_500), ("50000 100000", 500), ("100000 300000", 333), ("1 1000000", 1),
            ("max 100000", 0), ("", 0), ("150000", 0), ("150000 0", 0), ("junk", 0), ("18446744073709551615 1", 0),
        ])
    func version2(limit: String, milli: Int) throws {
        #expect(try unified(["/app.slice/news.service": limit]) == milli)
    }

    @Test("The tightest of the groups above counts too")
    func ancestors() throws {
        let own = "/app.slice/news.service"
        #expect(try unified([own: "300000 100000", "/app.slice": "250000 100000", "": "max 100000"]) == 2_500)
        #expect(try unified([own: "200000 100000", "/app.slice": "250000 100000"]) == 2_000)
        #expect(try unified(["": "175000 100000"]) == 1_750)
        #expect(try unified(["": "175000 100000"], group: "/") == 1_750)
        #expect(try unified(["/app.slice/other": "100000 100000"]) == 0)
    }

    @Test("A quota of version 1 is two files, and the tighter of both versions counts")
    func version1() throws {
        var files = [
            "/proc/self/cgroup": "9:memory:/m\n4:cpu,cpuacct:/docker/4f\n3:cpuset:/c\n0::/unified\n",
            "/proc/self/mountinfo": unifiedMount.replacing("/sys/fs/cgroup ", with: "/sys/fs/cgroup/unified ")
                + legacyMount.replacing("cpu", with: "cpuset") + legacyMount,
            "/sys/fs/cgroup/cpu,cpuacct/docker/4f/cpu.cfs_quota_us": "150000\n",
            "/sys/fs/cgroup/cpu,cpuacct/docker/4f/cpu.cfs_period_us": "100000\n",
            "/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "-1\n",
            "/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us": "100000\n",
        ]
        #expect(try quota(files) == 1_500)
        files["/sys/fs/cgroup/unified/unified/cpu.max"] = "50000 100000\n"
        #expect(try quota(files) == 500)
        files["/sys/fs/cgroup/unified/unified/cpu.max"] = nil
        files["/sys/fs/cgroup/cpu,cpuacct/docker/4f/cpu.cfs_quota_us"] = "-1\n"
        #expect(try quota(files) == 0)
    }

    @Test(
        "In a container the mount shows its own group, with or without a name space for groups",
        arguments: [("/", "/"), ("/docker/4f", "/docker/4f"), ("/docker/4f", "/"), ("/", "/../../other")])
    func containers(root: String, group: String) throws {
        let files = [
            "/proc/self/cgroup": "0::\(group)\n",
            "/proc/self/mountinfo": "24 23 0:21 \(root) /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
            "/sys/fs/cgroup/cpu.max": "150000 100000\n",
        ]
        #expect(try quota(files) == 1_500)
    }

    @Test("A mount that contains the group comes before one that does not; names are compared whole, without escapes")
    func mounts() throws {
        let files = [
            "/proc/self/cgroup": "0::/docker/4f/a\\b\n",
            "/proc/self/mountinfo": "24 23 0:21 /docker/4 /other rw - cgroup2 cgroup rw\n"
                + "25 23 0:21 /docker/4f/a\\134b /groups\\040here rw - cgroup2 cgroup rw\n",
            "/other/cpu.max": "100000 100000\n",
            "/groups here/cpu.max": "150000 100000\n",
        ]
        #expect(try quota(files) == 1_500)
    }

    @Test("Lines of any length are read around")
    func longLines() throws {
        let layers = (0..<500).map { "/var/lib/layers/\($0)" }.joined(separator: ":")
        let files = [
            "/proc/self/cgroup": "5:name=" + String(repeating: "x", count: 9_000) + ":/\n0::/\n",
            "/proc/self/mountinfo": "22 1 0:20 / / rw - overlay overlay rw,lowerdir=\(layers)\n"
                + String(repeating: "23 1 0:22 / /proc rw - proc proc rw\n", count: 300) + unifiedMount,
            "/sys/fs/cgroup/cpu.max": "150000 100000\n",
        ]
        #expect(try quota(files) == 1_500)
    }

    @Test(
        "What cannot be read is no quota",
        arguments: [
            [:], ["/proc/self/cgroup": "0::/\n"], ["/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": "- - -\n"],
            ["/proc/self/cgroup": ":\n::\n0:\n", "/proc/self/mountinfo": unifiedMount],
            ["/proc/self/mountinfo": unifiedMount, "/sys/fs/cgroup/cpu.max": "150000 100000\n"],
        ] as [[String: String]])
    func unreadable(files: [String: String]) throws {
        #expect(try quota(files) == 0)
    }

    private func number(_ name: String, in trace: CTFTrace) -> Int64? { trace.environment[name]?.integerValue }

    @Test("A process that is pinned to one processor records one, and how many there are")
    func affinity() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("one-processor", directory.appending("trace"))
        let found = counts(in: result.output)
        #expect(found["allowed"] == 1)
        let trace = try CTFTrace(path: directory.appending("trace"))
        #expect(number("processors", in: trace) == 1)
        #expect(number("processors_online", in: trace) == found["online"].map { Int64($0) })
        #expect(number("processor_quota_milli", in: trace) == found["quota"].map { Int64($0) })
    }

    @Test("A control group's quota is recorded", .enabled(if: ControlGroup.canBeMade))
    func controlGroup() throws {
        let group = try ControlGroup(quota: 150_000, period: 100_000)
        defer { group.remove() }
        let around = counts(in: try Program.probe.scenario("processors", "").output)["quota"] ?? 0
        let directory = TemporaryDirectory()
        let shell = Program(path: "/bin/sh")
        let result = try shell.run([
            "-c", "echo $$ > \(group.path)/cgroup.procs && exec \"$0\" producers \"$1\" 1 10 0", Program.probe.path,
            directory.appending("trace"),
        ])
        #expect(result.status == 0, "\(result.errors)")
        let trace = try CTFTrace(path: directory.appending("trace"))
        #expect(number("processor_quota_milli", in: trace) == (around == 0 ? 1_500 : min(Int64(around), 1_500)))
    }
}

/// A real cgroup of this machine, on machines where tests may create one.
private struct ControlGroup {
    let path: String

    private static let isVersion2 = FileManager.default.fileExists(atPath: "/sys/fs/cgroup/cgroup.subtree_control")
    private static let parent = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu"

    static let canBeMade: Bool = {
        guard let group = try? ControlGroup(quota: 150_000, period: 100_000) else { return false }
        group.remove()
        return true
    }()

    init(quota: Int, period: Int) throws {
        path = "\(Self.parent)/queuescope-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        do {
            if Self.isVersion2 {
                try write("\(quota) \(period)", to: "cpu.max")
            } else {
                try write("\(period)", to: "cpu.cfs_period_us")
                try write("\(quota)", to: "cpu.cfs_quota_us")
            }
        } catch {
            remove()
            throw error
        }
    }

    private func write(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    func remove() { rmdir(path) }
}
