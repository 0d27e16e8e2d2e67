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
            valueName: "time"))
    var from: Moment?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End here. Same forms as for --from.", valueName: "time"))
    var to: Moment?

    /// Nil for the whole trace.
    var request: WindowRequest? {
        guard from != nil || to != nil else { return nil }
        return WindowRequest(from: from?.point, to: to?.point, fromText: from?.text, toText: to?.text)
    }

    /// A time in the trace, and its text.
    struct Moment: ExpressibleByArgument {
        let point: TimePoint
        let text: String

        init?(argument: String) {
            guard let point = TimePoint(argument) else { return nil }
            (self.point, text) = (point, argument)
        }
    }
}
