import Glibc

/// The machine of a scenario. The amount of work that overloads it depends on its size.
enum Machine {
    /// Processors online.
    static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
