import CTFReader
import Foundation

/// The trace of a process that the recorded program started, in a directory beside the program's own: its path, a hyphen and the process id.
struct RecordedChild {
    enum State {
        case recorded(ReadSummary)
        /// The process outlives the program that was recorded; its trace is finished when it ends.
        case running
        /// What it left cannot be read, for this reason.
        case unreadable(String)
    }

    let directory: String
    /// The name of the process's executable; empty when the trace does not say.
    let name: String
    let state: State

    /// Makes a complete trace of what the process left behind, when it has ended.
    ///
    /// - Parameters:
    ///   - process: its process id.
    ///   - program: the directory of the recorded program's own trace.
    init(_ process: pid_t, besides program: String) {
        directory = "\(program)-\(process)"
        if kill(process, 0) == 0 || errno == EPERM {
            name = ""
            state = .running
            return
        }
        do {
            _ = try TraceFinalizer.finalize(path: directory)
            let trace = try CTFTrace(path: directory)
            let summary = try trace.forEachEvent { _ in }
            name = trace.environment["procname"]?.stringValue ?? ""
            state = .recorded(summary)
        } catch {
            name = ""
            state = .unreadable("\(error)")
        }
    }

    /// What became of it, in one sentence.
    var sentence: String {
        let process = name.isEmpty ? "a child" : name
        return switch state {
        case .recorded(let summary): "recorded \(summary.sentence) of \(process) into \(directory)"
        case .running: "\(process) still runs and records into \(directory)"
        case .unreadable(let reason): "cannot read the trace \(directory): \(reason)"
        }
    }

    /// Ids of the processes that have traces beside a program's own, the smallest first.
    static func processes(besides program: String) -> [pid_t] {
        let url = URL(fileURLWithPath: program).standardizedFileURL
        let prefix = url.lastPathComponent + "-"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .compactMap { pid_t($0.dropFirst(prefix.count)) }
            .filter { FileManager.default.fileExists(atPath: "\(url.path)-\($0)/metadata") }
            .sorted()
    }
}

extension ReadSummary {
    /// How much was recorded, and whether it was too much.
    var sentence: String {
        discarded == 0 ? "\(events) events" : "\(events) events (\(discarded) more discarded: raise --limit)"
    }
}
