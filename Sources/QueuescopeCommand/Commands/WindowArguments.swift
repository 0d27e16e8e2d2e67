import ArgumentParser
import CTFReader

/// The part of a trace that a command reads.
struct WindowArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Begin here: 12.5s, 350ms or 2m after the begin of the trace, -2s before its end, or a time of day such as \
            18:37:08.5, optionally with a date before it and Z or +02:00 after it.
            """,
            valueName: "time"),
        transform: { try Moment($0) })
    var from: Moment?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End here. Same forms as for --from.", valueName: "time"),
        transform: { try Moment($0) })
    var to: Moment?

    /// Nil for the whole trace.
    var request: WindowRequest? {
        guard from != nil || to != nil else { return nil }
        return WindowRequest(from: from?.point, to: to?.point, fromText: from?.text, toText: to?.text)
    }

    /// A time in the trace, and its text.
    struct Moment {
        let point: TimePoint
        let text: String

        /// - Throws: ``ValidationError`` with the valid forms.
        init(_ text: String) throws {
            guard let point = TimePoint(text) else {
                throw ValidationError(
                    "give a time after the begin such as 12.5s or 350ms, a time before the end such as -2s, or a "
                        + "time of day such as 18:37:08.5.")
            }
            (self.point, self.text) = (point, text)
        }
    }
}
