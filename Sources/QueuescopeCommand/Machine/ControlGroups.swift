/// The control groups (version 1 or 2) of a process, and their limits.
///
///     /proc/self/cgroup       the group in each hierarchy:      0::/user.slice/app.scope
///     /proc/self/mountinfo    the mount of the hierarchy:       … /user.slice /sys/fs/cgroup … - cgroup2 …
///     directories to read     from the mount to the group:      /sys/fs/cgroup, /sys/fs/cgroup/app.scope
///
/// In a container the group can be the root of the mount. Limits of groups above it are not visible inside.
struct ControlGroups {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    /// The smallest memory limit of the group and its ancestors, in bytes; nil without a limit.
    var memoryLimit: UInt64? {
        let unified = values("memory.max", of: .unified)
        let legacy = values("memory.limit_in_bytes", of: .legacy("memory"))
        // "max" in version 2 means no limit. Version 1 shows the largest number of whole pages instead.
        return (unified + legacy).compactMap { UInt64($0) }.filter { $0 < 1 << 62 }.min()
    }

    /// The smallest CFS quota of the group and its ancestors, in processors; nil without a quota.
    var processorQuota: Double? {
        var quotas: [Double] = []
        for value in values("cpu.max", of: .unified) {
            let numbers = value.split(separator: " ").map { Double($0) }
            if numbers.count == 2, let quota = numbers[0], let period = numbers[1], period > 0 {
                quotas.append(quota / period)
            }
        }
        for directory in directories(of: .legacy("cpu")) {
            if let quota = Double(machine.line(directory + "/cpu.cfs_quota_us")), quota > 0,
                let period = Double(machine.line(directory + "/cpu.cfs_period_us")), period > 0
            {
                quotas.append(quota / period)
            }
        }
        return quotas.min()
    }

    private enum Hierarchy {
        /// Version 2.
        case unified
        /// Version 1, of this controller.
        case legacy(String)
    }

    private func values(_ file: String, of hierarchy: Hierarchy) -> [String] {
        directories(of: hierarchy).map { machine.line($0 + "/" + file) }
    }

    /// The directories of the process's group and its ancestors, below the mount point.
    private func directories(of hierarchy: Hierarchy) -> [String] {
        let mounts = mounts(of: hierarchy)
        guard let group = group(in: hierarchy), let first = mounts.first else { return [] }
        for mount in mounts {
            guard let rest = Self.path(group, below: mount.root) else { continue }
            return (0...rest.count).map { ([Substring(mount.point)] + rest.prefix($0)).joined(separator: "/") }
        }
        // No mount contains the group, for example in another cgroup namespace: use the directory of the mount.
        return [first.point]
    }

    /// The path components from one group down to another; nil when the other is not below it.
    private static func path(_ group: String, below root: String) -> [Substring]? {
        let names = group.split(separator: "/")
        let above = root.split(separator: "/")
        return names.starts(with: above) && !names.contains("..") ? Array(names.dropFirst(above.count)) : nil
    }

    /// The process's group in `/proc/self/cgroup`.
    private func group(in hierarchy: Hierarchy) -> String? {
        for line in (machine.text("/proc/self/cgroup") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            switch hierarchy {
            case .unified where fields[1].isEmpty && fields[0] == "0": return String(fields[2])
            case .legacy(let controller) where fields[1].split(separator: ",").contains(Substring(controller)):
                return String(fields[2])
            default: continue
            }
        }
        return nil
    }

    private func mounts(of hierarchy: Hierarchy) -> [Mount] {
        Mount.all(machine).filter { mount in
            switch hierarchy {
            case .unified: mount.type == "cgroup2"
            case .legacy(let controller):
                mount.type == "cgroup" && mount.superOptions.split(separator: ",").contains(Substring(controller))
            }
        }
    }
}

/// A line of `/proc/self/mountinfo`.
struct Mount {
    /// The directory of the file system that is mounted.
    let root: String
    let point: String
    let type: String
    let superOptions: String

    /// All mounts of the process. A later mount hides an earlier one at the same point.
    static func all(_ machine: Machine) -> [Mount] {
        (machine.text("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap { Mount($0) }
    }

    private init?(_ line: Substring) {
        let fields = line.split(separator: " ").map(String.init)
        guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 1 else {
            return nil
        }
        root = fields[3]
        point = fields[4]
        type = fields[separator + 1]
        superOptions = fields.count > separator + 3 ? fields[separator + 3] : ""
    }
}
