import Foundation

/// A control group with a CFS quota, of version 2 or 1.
///
/// It is created inside the group of this process, which needs root or a delegated subtree.
final class ProcessorQuota: Sendable {
    /// The group's directory.
    private let directory: URL

    /// Creates a group.
    ///
    /// - Parameter processors: seconds of processor time per second.
    /// - Returns: nil if the system does not allow it.
    init?(processors: Double) {
        let quota = Int(processors * Double(Self.period))
        for parent in Self.parents {
            let name = "queuescope-evaluation-\(getpid())-\(UUID().uuidString.prefix(8))"
            let directory = parent.directory.appendingPathComponent(name, isDirectory: true)
            let limits =
                parent.isUnified
                ? [("cpu.max", "\(quota) \(Self.period)")]
                : [("cpu.cfs_period_us", "\(Self.period)"), ("cpu.cfs_quota_us", "\(quota)")]
            guard mkdir(directory.path, 0o755) == 0 else { continue }
            let isLimited = limits.allSatisfy { file, limit in
                (try? limit.write(to: directory.appendingPathComponent(file), atomically: false, encoding: .utf8))
                    != nil
            }
            guard isLimited else {
                rmdir(directory.path)
                continue
            }
            self.directory = directory
            return
        }
        return nil
    }

    deinit {
        // A killed program may need a moment to leave the group.
        for _ in 0..<100 where rmdir(directory.path) != 0 { usleep(10_000) }
    }

    /// A command line that runs the command line after it in the group.
    var launcher: [String] {
        ["/bin/sh", "-c", #"echo $$ > "$0/cgroup.procs" && exec "$@""#, directory.path]
    }

    /// In microseconds. This is the kernel's default.
    private static let period = 100_000

    /// The groups of this process in the hierarchies with the processor controller.
    private static var parents: [(directory: URL, isUnified: Bool)] {
        func lines(_ path: String) -> [[Substring]] {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map { $0.split(separator: path.hasSuffix("cgroup") ? ":" : " ") }
        }
        let groups = lines("/proc/self/cgroup")
        return lines("/proc/self/mountinfo").compactMap { fields in
            guard let separator = fields.firstIndex(of: "-"), separator + 3 < fields.count, fields.count > 4 else {
                return nil
            }
            let isUnified = fields[separator + 1] == "cgroup2"
            let isLegacy =
                fields[separator + 1] == "cgroup" && fields[separator + 3].split(separator: ",").contains("cpu")
            guard isUnified || isLegacy else { return nil }
            let group = groups.first {
                isUnified ? $0.first == "0" : $0.dropFirst().first?.split(separator: ",").contains("cpu") == true
            }
            // Only if the mount shows the whole hierarchy, paths are relative to the mount point.
            guard fields[3] == "/", let path = group?.last, path.hasPrefix("/") else { return nil }
            return (URL(fileURLWithPath: "\(fields[4])\(path)", isDirectory: true), isUnified)
        }
    }
}
