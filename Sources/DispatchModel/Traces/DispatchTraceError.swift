/// Why a readable CTF trace cannot be analysed as a dispatch trace.
public struct DispatchTraceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The trace's schema has another major version than this program reads.
        public static let unsupportedSchema = Code("unsupported schema")
        /// No event class of the `dispatch` provider is in the trace.
        public static let notADispatchTrace = Code("not a dispatch trace")
        /// The trace has several processes, of which one must be named.
        public static let severalProcesses = Code("several processes")
        /// The trace does not have the process that was named, or several of that name.
        public static let noSuchProcess = Code("no such process")
        /// The trace has no event of a process, or none any more.
        public static let noProcess = Code("no process")
    }

    /// The kind of failure.
    public let code: Code
    /// The trace directory.
    public let path: String
    /// What is wrong and what to do: a sentence that names the trace.
    public let description: String

    /// Creates an error from its parts.
    public init(_ code: Code, path: String, _ description: String) {
        self.code = code
        self.path = path
        self.description = description
    }
}
