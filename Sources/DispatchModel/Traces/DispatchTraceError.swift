/// The reason why a readable CTF trace cannot be analysed as a dispatch trace.
public struct DispatchTraceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Later versions can add kinds.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// This program reads another major version of the schema.
        public static let unsupportedSchema = Code("unsupported schema")
        /// The trace has no event class of the `dispatch` provider.
        public static let notADispatchTrace = Code("not a dispatch trace")
        /// The trace has several processes, and the user must name one.
        public static let severalProcesses = Code("several processes")
        /// The named process is not in the trace, or the name matches several processes.
        public static let noSuchProcess = Code("no such process")
        /// The trace has no events of any process.
        public static let noProcess = Code("no process")
    }

    /// The kind of failure.
    public let code: Code
    /// The trace directory.
    public let path: String
    /// A sentence that names the trace, the problem and the remedy.
    public let description: String

    /// Creates an error from its parts.
    public init(_ code: Code, path: String, _ description: String) {
        self.code = code
        self.path = path
        self.description = description
    }
}
