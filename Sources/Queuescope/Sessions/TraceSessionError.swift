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
        /// Not even the first packet fits.
        public static let noSpace = Code(QS_SESSION_NO_SPACE)
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
            return prefix + "a session records already; stop it first."
        case .directoryExists:
            return prefix + "it exists and is not an empty directory; name a new one."
        case .cannotCreate:
            return prefix + "\(systemMessage); name a directory that this user may create."
        case .noSpace:
            return prefix + "there is no space for the first packet; raise the limit or free disk space."
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
