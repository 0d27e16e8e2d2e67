import CTraceRecorder
import Glibc

extension TraceSession {
    /// Copies the trace that the current session has recorded so far. The recording continues, and the copy is a
    /// complete trace: in flight mode with the newest events, otherwise with all events.
    ///
    /// A flight recorder overwrites nothing during the copy. Blocks while the files are copied, for about as long as
    /// `cp` needs, so call it on a thread that may wait for the disk. Takes three descriptors. Several snapshots of a
    /// session are possible, one at a time or several at once.
    ///
    /// ```swift
    /// if latency > .seconds(2) { try TraceSession.snapshot(reason: "request took \(latency)") }
    /// ```
    ///
    /// - Parameters:
    ///   - directory: the path of the copy: a new directory, or an empty directory of this user, with the letters of
    ///     ``start(directory:options:)``. Nil: next to the trace, as `TRACE-snapshot-TIME`.
    ///   - reason: the line that the report of the copy begins with. The part beyond 511 bytes is dropped.
    /// - Returns: the path of the copy.
    /// - Throws: a ``SnapshotError`` with a remedy if the trace cannot be copied.
    @discardableResult
    public static func snapshot(directory: String? = nil, reason: String? = nil) throws(SnapshotError) -> String {
        var result = qs_snapshot_result()
        let code = qs_session_snapshot(directory, reason, &result)
        let path = withUnsafeBytes(of: &result.directory) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard code == Int32(QS_SNAPSHOT_OK.rawValue) else {
            throw SnapshotError(
                code: SnapshotError.Code(result: code), directory: path.isEmpty ? directory ?? "" : path,
                systemError: result.system_error)
        }
        return path
    }
}

/// The reason why a snapshot could not be taken.
public struct SnapshotError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error. Later versions may add more.
    public struct Code: Sendable, Hashable {
        private let rawValue: UInt32

        private init(_ error: qs_snapshot_error) { rawValue = error.rawValue }

        init(result: Int32) { rawValue = UInt32(bitPattern: result) }

        /// No session records.
        public static let notRecording = Code(QS_SNAPSHOT_NOT_RECORDING)
        /// The session records into LTTng's sessions.
        public static let recordsWithLTTng = Code(QS_SNAPSHOT_LTTNG)
        /// The recorder could not write its events within 5 s.
        public static let timeout = Code(QS_SNAPSHOT_TIMEOUT)
        /// The directory exists and is not empty, or the path is not a directory.
        public static let directoryExists = Code(QS_SNAPSHOT_EXISTS)
        /// The directory or a file in it cannot be written.
        public static let cannotCreate = Code(QS_SNAPSHOT_CANNOT_CREATE)
        /// A file of the recorded trace cannot be read.
        public static let cannotRead = Code(QS_SNAPSHOT_CANNOT_READ)
        /// The directory's path is longer than the system allows.
        public static let pathTooLong = Code(QS_SNAPSHOT_PATH_TOO_LONG)
        /// A percent sign in the directory's path is not followed by a known letter.
        public static let unknownLetter = Code(QS_SNAPSHOT_BAD_PATTERN)
    }

    /// The kind of error.
    public let code: Code
    /// The directory of the copy; empty if it is not known.
    public let directory: String
    /// The `errno` of the system, or 0.
    public let systemError: Int32

    /// The error as a sentence with a remedy.
    public var description: String {
        let prefix = "Cannot take a snapshot" + (directory.isEmpty ? ": " : " into \(directory): ")
        switch code {
        case .notRecording:
            return prefix + "no session records; start one with TraceSession.start or queuescope record."
        case .recordsWithLTTng: return prefix + "the session records with LTTng; use lttng snapshot record."
        case .timeout: return prefix + "the recorder could not write its events in time; the disk is slow or full."
        case .directoryExists:
            return prefix + "it exists and is no empty directory of its own (a file, a link, or something is in it); "
                + "name a new one, or add %t to the path."
        case .cannotCreate:
            return prefix + "\(systemMessage); name a directory that this user may create, in one that exists."
        case .cannotRead:
            return prefix + "the recorded trace cannot be read: \(systemMessage); it was moved, or belongs to another "
                + "user."
        case .pathTooLong: return prefix + "the path is too long; name a shorter one."
        case .unknownLetter:
            return prefix + "it has an unknown letter after a percent sign; use %n, %p, %t, %h, or %% for the sign."
        default: return prefix + "\(systemMessage)."
        }
    }

    private var systemMessage: String {
        systemError == 0 ? "the system refuses" : String(cString: strerror(systemError))
    }
}
