import CTraceRecorder
import Glibc

/// Why a session could not start.
public struct TraceSessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error. More may be added.
    public struct Code: Sendable, Hashable {
        private let rawValue: UInt32

        private init(_ error: qs_session_error) { rawValue = error.rawValue }

        init(result: Int32) { rawValue = UInt32(bitPattern: result) }

        /// A session records already.
        public static let alreadyRecording = Code(QS_SESSION_ACTIVE)
        /// The directory exists and is not empty, or is no directory.
        public static let directoryExists = Code(QS_SESSION_EXISTS)
        /// The directory or a file in it cannot be created.
        public static let cannotCreate = Code(QS_SESSION_CANNOT_CREATE)
        /// There is no memory, or no address space, for events.
        public static let noMemory = Code(QS_SESSION_NO_MEMORY)
        /// The recorder could not start its own thread.
        public static let noThread = Code(QS_SESSION_NO_THREAD)
        /// The directory's path is longer than the system allows.
        public static let pathTooLong = Code(QS_SESSION_PATH_TOO_LONG)
    }

    /// The kind of error.
    public let code: Code
    /// The trace directory that was asked for.
    public let directory: String
    /// The system's `errno`, 0 when it gave none.
    public let systemError: Int32

    /// The error as a sentence that says what to do.
    public var description: String {
        let prefix = "Cannot record into \(directory): "
        switch code {
        case .alreadyRecording:
            return prefix + "this process is recorded already, by a session or by queuescope record; "
                + "ask TraceSession.isRecording first."
        case .directoryExists:
            return prefix + "it exists and is no empty directory of its own (a file, a link, or something is in it); "
                + "name a new one."
        case .cannotCreate:
            return prefix + "\(systemMessage); name a directory that this user may create, in one that exists."
        case .noMemory:
            return prefix + "\(systemMessage); raise RLIMIT_AS, or the memory limit of the container."
        case .noThread:
            return prefix + "\(systemMessage); raise the limit of threads (RLIMIT_NPROC, pids.max)."
        case .pathTooLong:
            return prefix + "the path is too long; name a shorter one."
        default:
            return prefix + "\(systemMessage)."
        }
    }

    private var systemMessage: String {
        systemError == 0 ? "the system refuses" : String(cString: strerror(systemError))
    }
}
