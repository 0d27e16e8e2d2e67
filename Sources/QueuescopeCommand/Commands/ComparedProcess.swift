import ArgumentParser
import DispatchModel

/// Which process of the second of two traces is compared. Process ids of two runs differ, and so do a program's names
/// where the change is one.
struct ComparedProcess: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which process of the trace after, where --process does not name it: two runs have other ids.",
            valueName: "pid|name|host:pid"))
    var processAfter: String?

    /// How the trace after is analysed.
    ///
    /// - Parameter arguments: how the one before is.
    /// - Returns: the same with the other process.
    func arguments(_ arguments: AnalysisArguments) -> AnalysisArguments {
        var after = arguments
        after.process = processAfter ?? arguments.process
        return after
    }

    /// Analyses a trace other than the first, and says which option names its process.
    ///
    /// - Parameters:
    ///   - hint: what to do when `--process` names none of its processes.
    ///   - body: the analysis.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and ``CommandFailure`` in place of an error about the process.
    static func analyze<Result>(else hint: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DispatchTraceError where error.code == .noSuchProcess {
            throw CommandFailure(.usage, "\(error) \(hint)")
        }
    }
}
