import CTFReader
import FoundationEssentials

/// A trace that a recording left: of the program that was named, of what it was before it was replaced by exec, or of a
/// process that it started.
struct RecordedTrace {
    enum State {
        case recorded(PacketTotals)
        /// A process still records into it.
        case live
        /// It is that of a session of LTTng's with this name, which goes on.
        case session(String)
        /// It cannot be read, or not be completed, for this reason.
        case unreadable(String)
    }

    let directory: String
    /// The name of the process; empty when the trace does not say.
    let name: String
    /// Its process id; 0 when the trace does not say.
    let process: Int64
    let state: State
    private var isOfLTTng = false

    /// Completes the trace in a directory, if its process has ended, and counts what it has.
    ///
    /// - Parameters:
    ///   - path: the directory, wherever this process is.
    ///   - directory: the same, as the user named it.
    /// - Returns: nil when there is no trace.
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

    /// A trace of LTTng's, which its daemon has completed.
    init(_ directory: String, name: String, _ totals: PacketTotals) {
        self.directory = directory
        self.name = name
        process = 0
        state = .recorded(totals)
        isOfLTTng = true
    }

    /// A trace that LTTng's daemon goes on to write.
    init(_ directory: String, name: String, session: String) {
        self.directory = directory
        self.name = name
        process = 0
        state = .session(session)
        isOfLTTng = true
    }

    /// What became of it, in one sentence without its full stop.
    ///
    /// - Parameter successor: the trace of the program that replaced this one, if any.
    func sentence(before successor: RecordedTrace? = nil) -> String {
        let process = name.isEmpty ? "a process" : name
        switch state {
        case .recorded:
            let exec = successor.map { $0.process == self.process && self.process != 0 } ?? false
            return "recorded \(amount) of \(process)\(exec ? ", before exec," : "") into \(directory)"
        case .live:
            return "\(process) (process \(self.process)) still runs and is recorded into \(directory)"
        case .session(let session):
            return "recorded \(process) into \(directory), where LTTng's session \(session) goes on"
        case .unreadable(let reason):
            return "cannot complete the trace \(directory): \(reason)"
        }
    }

    /// How much was recorded, and whether it was too much; empty when that is not known.
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
            : "raise --limit or --memory, or make room on the disk"
        return "\(text) (\(GroupedNumber.text(totals.discarded)) more discarded: \(advice))"
    }

    /// The directories beside a trace that belong to it: its path, a hyphen and a number, in the order of the numbers.
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
