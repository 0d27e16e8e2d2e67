import CTFReader
import Foundation
import TraceReports

/// Records one run of a program that links Queuescope.
struct Recording {
    let program: String
    let arguments: [String]
    /// The trace directory; it must not exist, or be empty.
    let directory: String
    var limit: ByteSize?
    /// The file descriptor that becomes the program's standard output; nil leaves it as it is.
    var standardOutput: Int32?

    struct Outcome {
        let ending: ChildProcess.Ending
        /// What was recorded; nil when nothing was.
        let summary: ReadSummary?
    }

    /// Runs the program, and makes a complete trace of what it left behind.
    ///
    /// - Parameter progress: called with the share of the trace that was checked, from 0 to 1.
    /// - Returns: how the program ended and what was recorded.
    /// - Throws: ``CommandFailure`` when the program cannot be run, `CTFError` when what it left cannot be read.
    func run(progress: @escaping (Double) -> Void = { _ in }) throws -> Outcome {
        try TraceDirectory.check(directory)
        // The program may change its working directory before anything of it runs.
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        let child = ChildProcess(
            program: program, arguments: arguments,
            environment: [
                "QUEUESCOPE_TRACE": path, "QUEUESCOPE_LIMIT": limit.map { String($0.bytes) },
                // Says which process a trace belongs to: this one's would keep the program from recording.
                "QUEUESCOPE_TRACE_PID": nil,
            ], standardOutput: standardOutput)
        let ending = try child.run()
        guard FileManager.default.fileExists(atPath: path + "/metadata") else {
            return Outcome(ending: ending, summary: nil)
        }
        _ = try TraceFinalizer.finalize(path: path)
        let summary = try CTFTrace(path: path).forEachEvent(progress: progress) { _ in }
        return Outcome(ending: ending, summary: summary)
    }

    /// Why a program that ran left no trace, and what to do about it: one sentence.
    var reasonForNothing: String {
        guard let path = ExecutableSearch.path(of: program), let content = FileManager.default.contents(atPath: path)
        else {
            return "\(program) recorded nothing"
        }
        if content.prefix(2).elementsEqual("#!".utf8) {
            return "\(program) is a script and recorded nothing: record the program that it starts"
        }
        if content.range(of: Data("QUEUESCOPE_TRACE".utf8)) == nil {
            return "\(program) recorded nothing, because Queuescope is not in it: add the library to the target's "
                + "dependencies, use TracedQueue in place of DispatchQueue, build, and record again"
        }
        return
            "\(program) has Queuescope in it but recorded nothing: see what it said above, and whether something starts it "
            + "with another environment"
    }
}
