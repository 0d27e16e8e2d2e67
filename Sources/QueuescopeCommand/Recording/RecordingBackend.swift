import ArgumentParser

/// Where a recorded program's events go.
enum RecordingBackend: String, CaseIterable, ExpressibleByArgument {
    /// To LTTng when one of its sessions has the events enabled, otherwise into files.
    case auto
    /// Into files: Queuescope's own ring buffer.
    case ring
    /// To a session of LTTng.
    case lttng

    static let variable = "QUEUESCOPE_BACKEND"
}
