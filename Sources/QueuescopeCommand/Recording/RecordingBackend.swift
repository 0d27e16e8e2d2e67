import ArgumentParser
import FoundationEssentials

/// Where a recorded program's events go.
enum RecordingBackend: String, CaseIterable, ExpressibleByArgument {
    /// What the recorder takes when nothing is named: files, as there is a directory for them.
    case auto
    /// Into files: Queuescope's own ring buffer.
    case ring
    /// To a session of LTTng.
    case lttng

    static let variable = "QUEUESCOPE_BACKEND"

    /// The one that the environment names; nil when it names none. A name that is not one is answered on standard
    /// error.
    static func named() -> RecordingBackend? {
        guard let name = ProcessInfo.processInfo.environment[variable], !name.isEmpty else { return nil }
        if let backend = RecordingBackend(rawValue: name) { return backend }
        StandardError.write("queuescope: \(variable) is \(name); it should be auto, ring or lttng. auto is used.\n")
        return nil
    }
}
