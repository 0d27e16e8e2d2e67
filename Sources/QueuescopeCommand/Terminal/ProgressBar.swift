import Glibc

/// A bar on standard error while something takes long; nothing when that is not a terminal.
enum ProgressBar {
    private static let width = 30

    /// Does the work and shows how far it is.
    ///
    /// - Parameters:
    ///   - title: stands before the bar.
    ///   - mixes: whether the work writes to standard output meanwhile, so that there is no bar when that is a terminal, too.
    ///   - work: calls what it is given with the share done, from 0 to 1.
    /// - Returns: what the work returns.
    static func show<Result>(
        _ title: String, mixes: Bool = false, _ work: (@escaping (Double) -> Void) throws -> Result
    ) rethrows -> Result {
        guard isatty(STDERR_FILENO) == 1, !(mixes && isatty(STDOUT_FILENO) == 1) else { return try work { _ in } }
        var shown = -1
        defer { if shown >= 0 { StandardError.write("\r\u{1B}[K") } }
        return try work { share in
            let percent = Int(min(max(share, 0), 1) * 100)
            guard percent > shown else { return }
            shown = percent
            let full = percent * width / 100
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
            StandardError.write("\r\(title) \(bar) \(percent)%\u{1B}[K")
        }
    }
}
