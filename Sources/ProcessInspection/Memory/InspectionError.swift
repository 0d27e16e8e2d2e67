/// The reason why a process cannot be inspected.
public struct InspectionError: Error, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable {
        case noSuchProcess
        /// The process is a thread of the kernel.
        case kernelThread
        /// The process has ended, and its parent has not read its exit status.
        case zombie
        /// This user may not read the memory of the process.
        case notPermitted
        /// Another process, such as a debugger, traces the process.
        case traced
        /// A 32-bit process, or a processor that is not supported.
        case unsupported
        /// The core file, or a file that the user named, cannot be read.
        case unreadableFile
        /// The file is not a core file, or it ends before its list of threads.
        case notCore
        /// No library can be loaded into the process while it runs.
        case notAttachable
        /// The process has not loaded the libraries that are needed, and may only need more time.
        case notLoaded
        /// The process refuses to open a library, for example because it cannot read its file.
        case notOpened
        /// The process has begun to open a library, and may do so after this error.
        case unfinished
        /// The process ended during the inspection.
        case ended
    }

    public let code: Code
    /// A sentence without a full stop, with the remedy if there is one.
    public let sentence: String
}
