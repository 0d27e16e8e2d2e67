import ArgumentParser

/// Names a recording that a command reads while the program runs.
struct RecordingArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The id of the process, or its trace directory (default: the newest trace in the current directory).",
            valueName: "pid|trace"),
        completion: .trace)
    var recording: String?

    /// Finds the recording.
    ///
    /// - Parameter process: selects a process if the directory has several traces; nil for none.
    /// - Throws: ``CommandFailure`` or an error of the reader, with the reason.
    func find(process: String?) throws -> LiveRecording { try LiveRecording(named: recording, process: process) }
}
