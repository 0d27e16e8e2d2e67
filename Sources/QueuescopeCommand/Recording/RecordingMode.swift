import ArgumentParser

/// The treatment of events when a trace has reached its limit.
enum RecordingMode: String, ExpressibleByArgument, CaseIterable {
    /// New events are discarded and counted.
    case stream
    /// The oldest events are overwritten.
    case flight
}
