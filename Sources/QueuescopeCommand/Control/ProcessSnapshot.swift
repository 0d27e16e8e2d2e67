import CTFReader
import DispatchAnalysis
import FoundationEssentials
import Glibc

/// A copy of the events so far of a process that is being recorded.
struct ProcessSnapshot {
    let process: pid_t
    /// The pattern of the copy's directory; nil for the program's name and the time.
    var output: TracePattern?
    /// The line that the report of the copy begins with.
    var reason: SnapshotReason?

    /// Takes the snapshot.
    ///
    /// - Returns: the directory of the copy as the user would name it, and its absolute path.
    /// - Throws: ``CommandFailure`` with the reason why the trace cannot be copied, and the remedy.
    func take() throws -> (directory: String, path: String) {
        let program = ProcessFacts.name(of: process)
        let directory = output?.path(for: program, process: process) ?? TraceDirectory.fresh(for: program)
        let answer = try ControlledProcess(process).ask(ControlRequest(.flush))
        try TraceDirectory.check(directory)
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        let lock = try TraceDirectory.prepare(path)
        defer { lock.release() }
        let source = ProcessFacts.visiblePath(of: answer["trace"] ?? "", in: process)
        do throws(TraceSnapshotError) {
            // An earlier recorder does not state the end.
            try TraceSnapshot.copy(source, to: path, until: answer.number("end").map { UInt64(clamping: $0) })
        } catch {
            throw CommandFailure(
                error.isOfTarget ? .cannotCreate : .unavailable,
                "cannot copy the trace of process \(process): \(error.file): \(String(cString: strerror(error.code)))")
        }
        reason?.write(toTrace: path)
        return (directory, path)
    }
}
