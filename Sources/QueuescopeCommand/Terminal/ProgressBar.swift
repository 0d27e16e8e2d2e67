import Glibc
import ReportText

/// A progress bar on standard error. Shown only on a terminal that can erase it.
enum ProgressBar {
    private static let widest = 30

    /// Runs the work and shows its progress.
    ///
    /// - Parameters:
    ///   - title: the text before the bar.
    ///   - mixes: whether the work also writes to standard output. Then no bar is shown when standard output is a
    ///     terminal as well.
    ///   - work: calls its argument with the completed share, from 0 to 1.
    /// - Returns: the result of the work.
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

    /// Uses less than a whole line, so that the terminal does not wrap it.
    private static func line(_ title: String, _ percent: Int, columns: Int) -> String {
        let width = columns < 40 ? 0 : min(widest, columns * 3 / 8)
        let full = percent * width / 100
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        let end = (bar.isEmpty ? "" : " \(bar)") + " \(percent)%"
        return DisplayText.shortened(title, to: max(columns - 1 - end.count, 0)) + end
    }
}
