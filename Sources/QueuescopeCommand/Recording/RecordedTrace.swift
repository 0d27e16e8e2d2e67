import CTFReader
import FoundationEssentials

/// A trace that a recording produced: of the named program, of the program before it was replaced by exec, or of a
/// child process.
struct RecordedTrace {
    enum State {
        case recorded(PacketTotals)
        /// A process still records into the trace.
        case live
        /// The trace of an LTTng session with this name, which continues.
        case session(String)
        /// The trace cannot be read or completed, for this reason.
        case unreadable(String)
    }

    let directory: String
    /// The name of the process; empty when it is unknown.
    let name: String
    /// The process id; 0 when it is unknown.
    let process: Int64
    let state: State
    private var isOfLTTng = false

    /// Completes the trace in a directory if its process has ended, and counts its events.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the directory.
    ///   - directory: the path as the user gave it.
    /// - Returns: nil when the directory has no trace.
    init?(_ path: String, named directory: String) {
        guard FileManager.default.fileExists(atPath: path + "/metadata") else { return nil }
        var name = ""
        var process: Int64 = 0
        do {
            let outcome = try ArenaRecovery.complete(path: path)
            let trace = try CTFTrace(path: path)
            name = trace.environment["procname"]?.stringValue ?? ""
            process = trace.environment["vpid"]?.integerValue ?? 0
            state = outcome == .live ? .live : .recorded(trace.packetTotals)
        } catch {
            state = .unreadable("\(error)")
        }
        self.directory = directory
        self.name = name
        self.process = process
    }

    /// An LTTng trace that the daemon has completed.
    init(_ directory: String, name: String, _ totals: PacketTotals) {
        self.directory = directory
        self.name = name
        process = 0
        state = .recorded(totals)
        isOfLTTng = true
    }

    /// An LTTng trace that the daemon is still writing.
    init(_ directory: String, name: String, session: String) {
        self.directory = directory
        self.name = name
        process = 0
        state = .session(session)
        isOfLTTng = true
    }

    /// The result as one sentence without its full stop.
    ///
    /// - Parameter successor: the trace of the program that replaced this one by exec; nil for none.
    func sentence(before successor: RecordedTrace? = nil) -> String {
        let process = name.isEmpty ? "a process" : name
        switch state {
        case .recorded:
            let exec = successor.map { $0.process == self.process && self.process != 0 } ?? false
            return "recorded \(amount) of \(process)\(exec ? ", before exec," : "") into \(directory)"
        case .live:
            return "\(process) (process \(self.process)) still runs and is recorded into \(directory)"
        case .session(let session):
            return "recorded \(process) into \(directory); LTTng's session \(session) continues"
        case .unreadable(let reason):
            return "cannot complete the trace \(directory): \(reason)"
        }
    }

    /// The number of recorded events, and of discarded events with the remedy; empty when it is unknown.
    var amount: String {
        guard case .recorded(let totals) = state else { return "" }
        let bytes = "\(GroupedNumber.text(totals.uncountedBytes)) bytes of events"
        let events = "\(GroupedNumber.text(totals.events)) events"
        var text = totals.hasCounts || totals.uncountedBytes == 0 ? events : bytes
        if totals.hasCounts, totals.uncountedBytes > 0 { text += " and \(bytes) that were still in memory" }
        guard totals.discarded > 0 else { return text }
        let advice =
            isOfLTTng
            ? "record into a session whose channel has larger buffers: lttng enable-channel --subbuf-size"
            : "raise --limit or --memory, or free space on the disk"
        return "\(text) (\(GroupedNumber.text(totals.discarded)) more discarded: \(advice))"
    }

    /// The directories next to a trace that belong to it: its path, a hyphen and a number, in numerical order.
    static func directories(besides path: String) -> [String] {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        let prefix = url.lastPathComponent + "-"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count)) }
            .sorted()
            .map { "\(path)-\($0)" }
    }
}
