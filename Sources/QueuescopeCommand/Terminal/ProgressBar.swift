import Glibc
import TraceReports

/// A bar on standard error while something takes long; nothing when that is not a terminal that can erase it.
enum ProgressBar {
    private static let widest = 30

    /// Does the work and shows how far it is.
    ///
    /// - Parameters:
    ///   - title: stands before the bar.
    ///   - mixes: whether the work writes to standard output meanwhile, so that there is no bar when that is a
    ///     terminal, too.
    ///   - work: calls what it is given with the share done, from 0 to 1.
    /// - Returns: what the work returns.
    static func show<Result>(
        _ title: String, mixes: Bool = false, _ work: (@escaping (Double) -> Void) throws -> Result
    ) rethrows -> Result {
        guard isatty(STDERR_FILENO) == 1, !Terminal.isDumb, !(mixes && isatty(STDOUT_FILENO) == 1) else {
            return try work { _ in }
        }
        var shown = -1
        defer { if shown >= 0 { StandardError.draw("\r\u{1B}[K") } }
        return try work { share in
            let percent = Int(min(max(share, 0), 1) * 100)
            guard percent > shown else { return }
            shown = percent
            StandardError.draw("\r\(line(title, percent, columns: Terminal.width(of: STDERR_FILENO) ?? 100))\u{1B}[K")
        }
    }

    /// Takes less than a whole line, so that the terminal never begins another one.
    private static func line(_ title: String, _ percent: Int, columns: Int) -> String {
        let width = columns < 40 ? 0 : min(widest, columns * 3 / 8)
        let full = percent * width / 100
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        let end = (bar.isEmpty ? "" : " \(bar)") + " \(percent)%"
        return DisplayText.shortened(title, to: max(columns - 1 - end.count, 0)) + end
    }
}
