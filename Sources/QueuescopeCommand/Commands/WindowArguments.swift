import ArgumentParser
import CTFReader

/// The part of a trace that a command reads.
struct WindowArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Begin here: 12.5s, 350ms, 2m after the trace's begin, -2s before its end, or a time of day such as 18:37:08.5, with a date before and Z or +02:00 after it if need be.",
            valueName: "time"))
    var from: TimePoint?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End here; a moment as for --from.", valueName: "time"))
    var to: TimePoint?

    /// Nil for the whole trace.
    var request: WindowRequest? { from == nil && to == nil ? nil : WindowRequest(from: from, to: to) }
}

extension TimePoint: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
