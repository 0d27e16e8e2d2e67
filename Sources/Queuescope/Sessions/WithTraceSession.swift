/// Records this process while a closure runs.
///
/// The session ends with the closure, also when the closure throws.
///
/// - Parameters:
///   - directory: the path of the trace: a new directory, or an empty directory of this user.
///   - options: the limits of the recording.
///   - body: the closure to run.
/// - Returns: the result of the closure.
/// - Throws: a `TraceSessionError` if the session cannot start; otherwise the error of the closure.
public func withTraceSession<Result>(
    directory: String, options: TraceSession.Options = TraceSession.Options(), _ body: () throws -> Result
) throws -> Result {
    try TraceSession.start(directory: directory, options: options)
    defer { TraceSession.stop() }
    return try body()
}

/// Records this process while an asynchronous closure runs.
///
/// The session ends with the closure, also when the closure throws.
///
/// - Parameters:
///   - directory: the path of the trace: a new directory, or an empty directory of this user.
///   - options: the limits of the recording.
///   - isolation: the actor on which the closure runs.
///   - body: the closure to run.
/// - Returns: the result of the closure.
/// - Throws: a `TraceSessionError` if the session cannot start; otherwise the error of the closure.
public func withTraceSession<Result>(
    directory: String, options: TraceSession.Options = TraceSession.Options(),
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Result
) async throws -> sending Result {
    try TraceSession.start(directory: directory, options: options)
    defer { TraceSession.stop() }
    return try await body()
}
