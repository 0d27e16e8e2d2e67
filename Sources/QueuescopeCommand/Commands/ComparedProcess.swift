import ArgumentParser
import DispatchModel

/// Selects the process of the second of two traces. Process ids differ between runs, and the program's name may have
/// changed.
struct ComparedProcess: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The process of the second trace, if it differs from --process. Process ids differ between two runs.",
            valueName: "pid|name|host:pid"))
    var processAfter: String?

    /// The arguments for the analysis of the second trace.
    ///
    /// - Parameter arguments: the arguments for the first trace.
    /// - Returns: the same arguments with the other process.
    func arguments(_ arguments: AnalysisArguments) -> AnalysisArguments {
        var after = arguments
        after.process = processAfter ?? arguments.process
        return after
    }

    /// Analyses a further trace. When the process is not found, adds a hint about the option that selects it.
    ///
    /// - Parameters:
    ///   - hint: the remedy when `--process` matches none of its processes.
    ///   - body: the analysis.
    /// - Returns: the result of `body`.
    /// - Throws: the errors of `body`, but ``CommandFailure`` instead of an error about the process.
    static func analyze<Result>(else hint: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DispatchTraceError where error.code == .noSuchProcess {
            throw CommandFailure(.usage, "\(error) \(hint)")
        }
    }
}
