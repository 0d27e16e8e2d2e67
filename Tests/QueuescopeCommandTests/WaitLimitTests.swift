import Foundation
import TestSupport
import Testing

/// Compares the limits in the sources of the recorder with the table of waits in the article InProduction.
@Suite("The limits of waits in a recorded program")
struct WaitLimitTests {
    /// A constant of the recorder that limits a wait.
    private struct Limit: Hashable, CustomStringConvertible {
        let file: String
        let name: String
        var description: String { "\(name) of \(file)" }
    }

    /// Limits of waits of program threads, with the beginning of two cells of their row: the thread, and what it waits
    /// for.
    private static let documented: [Limit: (thread: String, wait: String)] = [
        Limit(file: "lock.h", name: "QS_LOCK_MS"): ("creates a queue", "another thread that writes a definition"),
        Limit(file: "lock.h", name: "QS_STOP_LOCK_MS"): ("ends the process, or stops", "an event or a definition"),
        Limit(file: "lock.h", name: "QS_PATIENT_LOCK_MS"): ("starts or stops a session", "another thread that starts"),
        Limit(file: "session_end.c", name: "EXIT_WAIT_MS"): ("ends the process, or stops", "an event or a definition"),
        Limit(file: "session_end.c", name: "STOP_WAIT_MS"): ("ends the process, or stops", "an event or a definition"),
        Limit(file: "session.c", name: "FLUSH_MS"): ("calls `TraceSession.flush`", "the disk"),
        Limit(file: "session.c", name: "EXEC_FLUSH_MS"): ("calls `exec`", "the copy of the last events"),
        Limit(file: "session_snapshot.c", name: "FLUSH_MS"): ("calls `TraceSession.snapshot`", "the events so far"),
        Limit(file: "service.c", name: "STOP_TIMEOUT_MS"): ("ends the process, or stops", "the files of the trace"),
        Limit(file: "service.c", name: "LOADER_TIMEOUT_MS"): ("ends the process, or stops", "the names of libraries"),
        Limit(file: "service.c", name: "STOP_SIGNAL_TIMEOUT_MS"): ("crashes", "the recorder"),
        Limit(file: "control.c", name: "OPEN_TIMEOUT_MS"): ("starts the process", "the thread that opens"),
        Limit(file: "control.c", name: "CLOSE_TIMEOUT_MS"): ("is the main thread", "the thread of the control socket"),
        Limit(file: "late_start.c", name: "BEGIN_TIMEOUT_MS"): ("opens libdispatch late", "the start of the session"),
        Limit(file: "late_start.c", name: "LOAD_TIMEOUT_MS"): ("opens libdispatch late", "the lock of the dynamic"),
        Limit(file: "lttng_watch.c", name: "STOP_TIMEOUT_NS"): ("ends the process, which records", "the same names"),
    ]

    /// Times of the recorder's own threads: pauses, and waits for a client of the control socket.
    private static let own: Set<Limit> = [
        Limit(file: "service.c", name: "BUSY_PAUSE_MS"), Limit(file: "service.c", name: "REFINE_AFTER_MS"),
        Limit(file: "service.c", name: "REFINE_AGAIN_AFTER_MS"), Limit(file: "service.c", name: "ABANDON_WAIT_MS"),
        Limit(file: "control_requests.c", name: "FLUSH_MS"), Limit(file: "control.c", name: "PATIENCE_MS"),
        Limit(file: "control.c", name: "MAIN_CHECK_MS"),
        Limit(file: "main_thread_end.c", name: "CHECK_INTERVAL_MS"),
        Limit(file: "main_thread_end.c", name: "LONGEST_CHECK_INTERVAL_MS"),
        Limit(file: "main_thread_end.c", name: "MAIN_CHECK_INTERVAL_MS"),
        Limit(file: "slots.c", name: "SECOND_PASS_MS"), Limit(file: "slots.c", name: "EXPECTED_PAUSE_MS"),
        Limit(file: "slots.c", name: "EXPECTED_MS"),
    ]

    /// The constants of the sources in milliseconds. A wait that a constant in nanoseconds limits is added by name.
    private static func limits() throws -> [Limit: Int] {
        var limits: [Limit: Int] = [:]
        for folder in ["CTraceRecorder", "CDispatchInterposer"] {
            let root = "\(Package.root)/Sources/\(folder)"
            for path in try FileManager.default.subpathsOfDirectory(atPath: root)
            where path.hasSuffix(".c") || path.hasSuffix(".h") {
                let file = URL(fileURLWithPath: path).lastPathComponent
                let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
                for match in text.matches(of: /\b([A-Z_]+_(MS|NS)) = ([0-9 *]+)[,; ]/) {
                    let limit = Limit(file: file, name: String(match.1))
                    let factors = match.3.split(separator: "*").compactMap { Int($0.filter(\.isNumber)) }
                    let value = factors.reduce(1, *)
                    if match.2 == "MS" {
                        limits[limit] = value
                    } else if documented[limit] != nil {
                        limits[limit] = value / 1_000_000
                    }
                }
            }
        }
        return limits
    }

    /// The rows of the table, each with its cells. "The same" is the thread of the row above.
    private static func rows() throws -> [[String]] {
        let path = "\(Package.root)/Sources/Queuescope/Queuescope.docc/InProduction.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(article.split(separator: "\n## ").first { $0.hasPrefix("Waits\n") })
        var thread = ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if cells[0] != "the same" { thread = cells[0] }
            return [thread] + cells.dropFirst()
        }
    }

    /// As in the table: `10 ms`, `0.05 s`, `60 s`.
    private static func text(_ milliseconds: Int) -> String {
        if milliseconds < 50 { return "\(milliseconds) ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }

    @Test("are in the table of the article InProduction, if a thread of the program waits")
    func table() throws {
        let limits = try Self.limits()
        #expect(limits.count > 20)
        let unknown = limits.keys.filter { Self.documented[$0] == nil && !Self.own.contains($0) }
        #expect(unknown.isEmpty, "add a row to the table of waits, or the constant to `own`: \(unknown)")
        let rows = try Self.rows()
        for (limit, place) in Self.documented {
            let value = try #require(limits[limit], "\(limit) does not exist")
            let row = rows.first { $0.count > 2 && $0[0].hasPrefix(place.thread) && $0[1].hasPrefix(place.wait) }
            let stated = try #require(row, "\(limit) has no row")[2]
            #expect(stated.contains(Self.text(value)), "\(limit) is \(Self.text(value)), the table states \(stated)")
        }
    }
}
