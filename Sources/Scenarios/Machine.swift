import Glibc

/// The machine that a scenario runs on: what is too much for it depends on its size.
enum Machine {
    /// Processors online.
    static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
