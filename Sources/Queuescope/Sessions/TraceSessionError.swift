import CTraceRecorder
import Glibc

/// The reason why a session could not start.
public struct TraceSessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error. Later versions may add more.
    public struct Code: Sendable, Hashable {
        private let rawValue: UInt32

        private init(_ error: qs_session_error) { rawValue = error.rawValue }

        init(result: Int32) { rawValue = UInt32(bitPattern: result) }

        /// A session already records.
        public static let alreadyRecording = Code(QS_SESSION_ACTIVE)
        /// The directory exists and is not empty, or the path is not a directory.
        public static let directoryExists = Code(QS_SESSION_EXISTS)
        /// The directory or a file in it cannot be created.
        public static let cannotCreate = Code(QS_SESSION_CANNOT_CREATE)
        /// There is not enough memory or address space for events.
        public static let noMemory = Code(QS_SESSION_NO_MEMORY)
        /// The recorder could not start its thread.
        public static let noThread = Code(QS_SESSION_NO_THREAD)
        /// The directory's path is longer than the system allows.
        public static let pathTooLong = Code(QS_SESSION_PATH_TOO_LONG)
        /// A percent sign in the directory's path is not followed by a known letter.
        public static let unknownLetter = Code(QS_SESSION_BAD_PATTERN)
    }

    /// The kind of error.
    public let code: Code
    /// The requested trace directory.
    public let directory: String
    /// The `errno` of the system, or 0.
    public let systemError: Int32

    /// The error as a sentence with a remedy.
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
        case .unknownLetter:
            return prefix + "it has an unknown letter after a percent sign; use %n, %p, %t, %h, or %% for the sign."
        default:
            return prefix + "\(systemMessage)."
        }
    }

    private var systemMessage: String {
        systemError == 0 ? "the system refuses" : String(cString: strerror(systemError))
    }
}
