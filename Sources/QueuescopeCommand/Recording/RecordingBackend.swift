import ArgumentParser
import FoundationEssentials

/// The destination of a recorded program's events.
enum RecordingBackend: String, CaseIterable, ExpressibleByArgument {
    /// The recorder's default: files, because `record` sets a directory.
    case auto
    /// Files, written by Queuescope's own ring buffer.
    case ring
    /// An LTTng session.
    case lttng

    static let variable = "QUEUESCOPE_BACKEND"

    /// The backend from the environment; nil when the variable is empty or invalid. An invalid value is reported on
    /// standard error.
    static func named() -> RecordingBackend? {
        guard let name = ProcessInfo.processInfo.environment[variable], !name.isEmpty else { return nil }
        if let backend = RecordingBackend(rawValue: name) { return backend }
        StandardError.write("queuescope: \(variable) is \(name); it should be auto, ring or lttng. auto is used.\n")
        return nil
    }
}
