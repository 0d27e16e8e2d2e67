import CTFReader

/// The part of a flight recorder's window that a trace has.
struct WindowCoverage {
    let window: RecordingWindow
    /// The time from the begin of the complete part of the trace to its end, in nanoseconds.
    let coveredNanoseconds: Int64

    /// The reason why earlier events are missing.
    var reason: String {
        window.isShortened
            ? "earlier events were overwritten"
            : "events before its window of \(Self.text(window.nanoseconds)) were removed"
    }

    /// A sentence about a memory that was too small; nil when the trace has the whole window.
    var shortage: String? {
        guard window.isShortened else { return nil }
        let covered = min(max(coveredNanoseconds, 0), window.nanoseconds)
        return "The memory was too small for the window of \(Self.text(window.nanoseconds)): the trace has the last "
            + "\(Self.text(covered)) of it. A larger --memory keeps more."
    }

    /// The length in milliseconds below a second, otherwise in seconds with at most one decimal.
    private static func text(_ nanoseconds: Int64) -> String {
        if nanoseconds < 1_000_000_000 { return "\(nanoseconds / 1_000_000) ms" }
        let tenths = nanoseconds / 100_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
