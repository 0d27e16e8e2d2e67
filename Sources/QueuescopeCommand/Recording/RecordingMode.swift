import ArgumentParser

/// What becomes of events when a trace has the size that it may have.
enum RecordingMode: String, ExpressibleByArgument, CaseIterable {
    /// New ones are discarded and counted.
    case stream
    /// The oldest are overwritten.
    case flight
}
