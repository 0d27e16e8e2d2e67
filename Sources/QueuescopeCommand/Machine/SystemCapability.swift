/// The checks of `queuescope doctor` for the C library, the kernel and the clock.
enum SystemCapability {
    static func libc(_ machine: Machine) -> MachineCapability {
        let name = "libc"
        guard machine.libc.hasPrefix("glibc "), let version = SystemVersion(machine.libc.dropFirst(6)) else {
            return MachineCapability(
                .blocked, name, "it is not glibc",
                remedy: "record in a container with glibc 2.26 or later, such as one of Swift's own images")
        }
        if version < SystemVersion(2, 26) {
            return MachineCapability(
                .blocked, name, "\(machine.libc) is older than 2.26, the oldest version that Swift supports",
                remedy: "record in a container with a later version, such as one of Swift's own images")
        }
        if version < SystemVersion(2, 35) {
            return MachineCapability(
                .limited, name, "\(machine.libc) has no _dl_find_object: recording a call stack costs more",
                remedy: "no data is lost; glibc 2.35 (Ubuntu 22.04, Debian 12) and later have it")
        }
        return MachineCapability(.ok, name, machine.libc)
    }

    /// Kernel features that the recorder uses if available, and the effect without them, oldest first.
    private static let kernelFeatures: [(since: SystemVersion, without: String)] = [
        (SystemVersion(4, 14), "4.14 is the oldest supported version"),
        (SystemVersion(5, 9), "no close_range, so the program could close the recorder's descriptors"),
        (SystemVersion(5, 14), "no MADV_POPULATE_WRITE, so pages are populated one by one"),
    ]

    static func kernel(_ machine: Machine) -> MachineCapability {
        let name = "kernel"
        let release = machine.line("/proc/sys/kernel/osrelease")
        guard let version = SystemVersion(release) else {
            return MachineCapability(
                .limited, name, "/proc/sys/kernel/osrelease cannot be read", remedy: "mount /proc")
        }
        let missing = kernelFeatures.filter { version < $0.since }.map(\.without)
        if missing.isEmpty { return MachineCapability(.ok, name, "Linux \(release)") }
        return MachineCapability(
            .limited, name, "Linux \(release): " + missing.joined(separator: "; "),
            remedy: "recording works; Linux 5.14 and later have all features")
    }

    static func pages(_ machine: Machine) -> MachineCapability {
        MachineCapability(.ok, "pages", ByteSize(bytes: UInt64(machine.pageBytes)).readable)
    }

    /// The clock of the recorder: the hardware counter if the kernel trusts it as well.
    static func clock(_ machine: Machine) -> MachineCapability {
        let name = "fast clock"
        #if arch(x86_64)
            let (counter, trusted) = ("the time stamp counter", "tsc")
            let flags = machine.field("flags", of: "/proc/cpuinfo")?.split(separator: " ") ?? []
            guard flags.contains("constant_tsc"), flags.contains("nonstop_tsc") else {
                return MachineCapability(
                    .limited, name, "\(counter) is not invariant",
                    remedy: "recording works with clock_gettime instead, for 15 ns more per event")
            }
        #else
            let (counter, trusted) = ("the processor's generic counter", "arch_sys_counter")
        #endif
        let source = machine.line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        if source.isEmpty || source == trusted { return MachineCapability(.ok, name, counter) }
        return MachineCapability(
            .limited, name, "the kernel's clock source is \(source), not \(trusted)",
            remedy: "recording works with clock_gettime instead, for 15 ns more per event, or a microsecond with hpet "
                + "or acpi_pm; if the hardware's counter is reliable, boot with clocksource=\(trusted)")
    }
}
