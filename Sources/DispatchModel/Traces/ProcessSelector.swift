/// Text by which a user selects one of several processes: `4711`, `news`, `box:4711` or `box:news`.
public struct ProcessSelector: Sendable, Equatable {
    /// The machine; nil for any.
    public let host: String?
    /// The process id, or the program's name.
    public let process: String

    /// Splits the text at its last colon.
    ///
    /// - Parameter text: the text of the user.
    public init(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        host = parts.count > 1 ? parts.dropLast().joined(separator: ":") : nil
        process = parts.last.map(String.init) ?? ""
    }

    /// Whether the text selects this process.
    public func matches(_ candidate: TracedProcess) -> Bool {
        if let host, host != candidate.host { return false }
        return Int(process) == candidate.pid || process == candidate.name
            // The kernel truncates names to 15 bytes.
            || candidate.name.utf8.count == 15 && process.hasPrefix(candidate.name)
    }

    /// Returns the selected process.
    ///
    /// - Parameters:
    ///   - selector: the selector; nil if there can be only one process.
    ///   - processes: the processes of the trace.
    ///   - path: the trace, for the error.
    /// - Returns: the process.
    /// - Throws: ``DispatchTraceError`` that lists the processes when there is not exactly one.
    public static func choose(
        _ selector: ProcessSelector?, from processes: [TracedProcess], path: String
    ) throws(DispatchTraceError) -> TracedProcess {
        guard let selector else {
            if processes.count == 1 { return processes[0] }
            guard !processes.isEmpty else {
                throw DispatchTraceError(
                    .noProcess, path: path, "Cannot analyse \(path): it has no events of any process.")
            }
            throw DispatchTraceError(
                .severalProcesses, path: path,
                "\(path) has \(processes.count) processes; name one with --process PID, NAME or HOST:PID: "
                    + list(processes) + ".")
        }
        return try selector.choose(from: processes, path: path)
    }

    /// Returns the selected process, if there is exactly one.
    ///
    /// - Parameters:
    ///   - processes: the processes of the trace.
    ///   - path: the trace, for the error.
    /// - Returns: the process.
    /// - Throws: ``DispatchTraceError`` that lists the processes when there is not exactly one.
    public func choose(from processes: [TracedProcess], path: String) throws(DispatchTraceError) -> TracedProcess {
        let matching = processes.filter(matches)
        if matching.count == 1 { return matching[0] }
        let said = host.map { "\($0):\(process)" } ?? process
        throw DispatchTraceError(
            .noSuchProcess, path: path,
            matching.isEmpty
                ? "\(path) has no process '\(said)'; it has \(Self.list(processes))."
                : "'\(said)' matches \(matching.count) processes of \(path); name one of these by HOST:PID: "
                    + Self.list(matching) + ".")
    }

    private static let listLimit = 20

    private static func list(_ processes: [TracedProcess]) -> String {
        let shown = processes.prefix(listLimit).map(\.description).joined(separator: ", ")
        let rest = processes.count - listLimit
        return rest > 0 ? "\(shown) and \(rest) more" : shown
    }
}
